#include "deberta.hpp"

#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "dot.hpp"
#include "log_steps.hpp"
#include "relative_scores.hpp"

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
  const std::size_t step = steps == 0
                               ? 0
                               : ceil_log_steps(static_cast<std::uint32_t>(distance), static_cast<std::uint32_t>(exact),
                                                static_cast<std::uint32_t>(rule.max_position - 1), steps);
  return std::copysign(static_cast<double>(exact + step), delta);
}

/// Scores whose rows are those of place(distance).
template <class Place>
Status scores_by(std::span<float> out, const DebertaInputs& in, const AttentionShape& s, std::size_t span,
                 Place place) noexcept {
  if (!has_sizes(s) || span == 0) return Status::BadShape;
  const std::size_t table = product({s.heads, 2, span, s.head_dim});
  const Status status = check_lengths({{in.query.size(), query_count(s)},
                                       {in.key.size(), key_count(s)},
                                       {in.relative_key.size(), in.relative_key.empty() ? 0 : table},
                                       {in.relative_query.size(), in.relative_query.empty() ? 0 : table},
                                       {out.size(), score_count(s)}});
  if (status != Status::Ok) return status;

  const auto row = [=](double distance) {
    const auto middle = static_cast<double>(span);
    return static_cast<std::size_t>(std::clamp(place(distance) + middle, 0.0, 2 * middle - 1));
  };
  const double terms = 1 + (in.relative_key.empty() ? 0 : 1) + (in.relative_query.empty() ? 0 : 1);
  const double scale = 1 / std::sqrt(static_cast<double>(s.head_dim) * terms);

  // Along the diagonals, so that the row of a distance is found once per head.
  const auto fill_diagonal = [&](std::size_t b, std::size_t h, std::size_t i, std::size_t j) {
    const std::size_t r = row(static_cast<double>(i) - static_cast<double>(j));
    const std::size_t at = (h * 2 * span + r) * s.head_dim;
    for (; i < s.query_length && j < s.key_length; ++i, ++j) {
      const float* query = query_row(in.query, s, b, h, i);
      const float* key = key_row(in.key, s, s.head_dim, b, h, j);
      double score = dot(query, key, s.head_dim);
      if (!in.relative_key.empty()) score += dot(query, in.relative_key.data() + at, s.head_dim);
      if (!in.relative_query.empty()) score += dot(key, in.relative_query.data() + at, s.head_dim);
      out[score_offset(s, b, h, i) + j] = static_cast<float>(score * scale);
    }
  };
  for (std::size_t b = 0; b < s.batch; ++b) {
    for (std::size_t h = 0; h < s.heads; ++h) {
      for (std::size_t j = 0; j < s.key_length; ++j) fill_diagonal(b, h, 0, j);
      for (std::size_t i = 1; i < s.query_length; ++i) fill_diagonal(b, h, i, 0);
    }
  }
  return Status::Ok;
}

}  // namespace

Status deberta_buckets(std::span<std::int32_t> out, std::span<const double> delta, DebertaRule rule) noexcept {
  if (delta.empty() || !is_valid(rule)) return Status::BadShape;
  if (out.size() != delta.size()) return Status::WrongLength;
  if (!all_whole(delta, kMaxPosition)) return Status::OutOfRange;
  std::ranges::transform(delta, out.begin(), [&](double d) { return static_cast<std::int32_t>(bucket(d, rule)); });
  return Status::Ok;
}

Status deberta_scores(std::span<float> out, const DebertaInputs& inputs, const AttentionShape& shape,
                      std::size_t span) noexcept {
  return scores_by(out, inputs, shape, span, [](double distance) { return distance; });
}

Status deberta_scores(std::span<float> out, const DebertaInputs& inputs, const AttentionShape& shape, std::size_t span,
                      DebertaRule rule) noexcept {
  if (!is_valid(rule)) return Status::BadShape;
  return scores_by(out, inputs, shape, span, [=](double distance) { return bucket(distance, rule); });
}

}  // namespace posenc
