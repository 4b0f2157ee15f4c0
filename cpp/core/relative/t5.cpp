#include "core/relative/t5.hpp"

#include <algorithm>
#include <cmath>

#include "core/numeric/check.hpp"
#include "core/numeric/log_steps.hpp"

namespace posenc {
namespace {

constexpr double kMaxRelative = 9007199254740992.0;  // 2^53

bool is_valid(const T5Rule& rule) noexcept {
  constexpr std::size_t kDistanceLimit = std::size_t{1} << 31;
  return rule.buckets <= T5Rule::kMaxBuckets && rule.exact_distances() >= 1 &&
         rule.max_distance > rule.exact_distances() && rule.max_distance < kDistanceLimit;
}

std::size_t bucket(double relative, const T5Rule& rule) noexcept {
  const bool has_own_half = rule.reach == T5Reach::BothSides && relative > 0;
  const std::size_t first = has_own_half ? rule.buckets_per_side() : 0;
  const double distance = rule.reach == T5Reach::BothSides ? std::abs(relative) : std::max(-relative, 0.0);

  const std::size_t exact = rule.exact_distances();
  if (distance < static_cast<double>(exact)) return first + static_cast<std::size_t>(distance);
  const std::size_t steps = rule.buckets_per_side() - exact;
  if (distance >= static_cast<double>(rule.max_distance)) return first + exact + steps - 1;
  const std::size_t step = floor_log_steps(static_cast<std::uint32_t>(distance), static_cast<std::uint32_t>(exact),
                                           static_cast<std::uint32_t>(rule.max_distance), steps);
  return first + exact + step;
}

}  // namespace

Status t5_buckets(std::span<std::int32_t> out, std::span<const double> relative, T5Rule rule) noexcept {
  if (relative.empty() || !is_valid(rule)) return Status::BadShape;
  if (out.size() != relative.size()) return Status::WrongLength;
  if (!all_whole(relative, kMaxRelative)) return Status::OutOfRange;

  std::ranges::transform(relative, out.begin(),
                         [&](double position) { return static_cast<std::int32_t>(bucket(position, rule)); });
  return Status::Ok;
}

Status t5_bias(std::span<float> out, std::span<const float> table, BiasShape shape, T5Rule rule) noexcept {
  if (!is_valid(rule)) return Status::BadShape;
  if (const Status status = check_bias(out, shape); status != Status::Ok) return status;
  if (product({rule.buckets, shape.heads}) != table.size()) return Status::WrongLength;

  fill_by_distance(out, shape, [&](double distance) {
    const float* row = table.data() + bucket(-distance, rule) * shape.heads;
    return [row](std::size_t head) { return row[head]; };
  });
  return Status::Ok;
}

}  // namespace posenc
