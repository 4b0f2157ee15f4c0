#include "core/relative/deberta.hpp"

#include <algorithm>
#include <cmath>

#include "core/numeric/check.hpp"
#include "core/numeric/log_steps.hpp"
#include "core/relative/relative_scores.hpp"

namespace posenc {
namespace {

bool is_valid(const DebertaRule& rule) noexcept {
  constexpr std::size_t kPositionLimit = std::size_t{1} << 31;
  if (rule.bucket_size < 2 || rule.bucket_size > DebertaRule::kMaxBucketSize) return false;
  if (rule.max_position <= rule.bucket_size / 2 + 1 || rule.max_position >= kPositionLimit) return false;
  // Steps of a factor near 1 would lead to more buckets than can be counted.
  return rule.reach == DebertaReach::Limited || rule.max_position >= rule.bucket_size;
}

double bucket(double delta, const DebertaRule& rule) noexcept {
  const std::size_t exact = rule.bucket_size / 2;
  const auto last = static_cast<double>(rule.max_position - 1);
  const double distance = rule.reach == DebertaReach::Limited ? std::min(std::abs(delta), last) : std::abs(delta);
  if (distance <= static_cast<double>(exact)) return delta;
  const std::size_t steps = exact - 1;
  if (distance == last) return std::copysign(static_cast<double>(exact + steps), delta);
  const std::size_t step = steps == 0
                               ? 0
                               : ceil_log_steps(static_cast<std::uint32_t>(distance), static_cast<std::uint32_t>(exact),
                                                static_cast<std::uint32_t>(rule.max_position - 1), steps);
  return std::copysign(static_cast<double>(exact + step), delta);
}

}  // namespace

Status deberta_buckets(std::span<std::int32_t> out, std::span<const double> delta, DebertaRule rule) noexcept {
  if (delta.empty() || !is_valid(rule)) return Status::BadShape;
  if (out.size() != delta.size()) return Status::WrongLength;
  if (!all_whole(delta, kMaxPosition)) return Status::OutOfRange;
  std::ranges::transform(delta, out.begin(), [&](double d) { return static_cast<std::int32_t>(bucket(d, rule)); });
  return Status::Ok;
}

Status DebertaTerm::check(const AttentionShape& shape, DistanceRange) const noexcept {
  if (span_ == 0 || span_ > kMaxSpan || (rule_ && !is_valid(*rule_))) return Status::BadShape;
  const std::size_t table = product({shape.heads, 2, span_, shape.head_dim});
  return check_lengths({{relative_key_.size(), relative_key_.empty() ? 0 : table},
                        {relative_query_.size(), relative_query_.empty() ? 0 : table}});
}

void DebertaTerm::add(Rows scores, const ScoreBlock& block, const ScoreOperands& operands) const noexcept {
  const DistanceRows rows(block, [&](std::int64_t distance) {
    const double delta = std::clamp(static_cast<double>(distance), -kMaxPosition, kMaxPosition);
    const auto middle = static_cast<double>(span_);
    return static_cast<std::uint32_t>(
        std::clamp((rule_ ? bucket(delta, *rule_) : delta) + middle, 0.0, 2 * middle - 1));
  });
  const std::size_t dim = block.shape->head_dim;
  const std::size_t of_head = block.head * 2 * span_ * dim;
  if (!relative_key_.empty()) {
    add_query_products(scores, operands.queries, {relative_key_.data() + of_head, dim}, rows, block, operands);
  }
  if (!relative_query_.empty()) {
    add_key_products(scores, {relative_query_.data() + of_head, dim}, rows, block, operands);
  }
}

}  // namespace posenc
