#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/attention/attention.hpp"
#include "core/attention/score_term.hpp"
#include "core/numeric/status.hpp"

namespace posenc {

/// What happens to distances of max_position and more.
enum class DebertaReach {
  Limited,  // they share the bucket of max_position - 1, as in the authors' code
  Open,     // buckets go on by the same formula, as in transformers
};

/// How distances are sorted into buckets: up to half of bucket_size each has its own; from there to max_position - 1
/// the other half grows by equal factors.
struct DebertaRule {
  static constexpr std::size_t kMaxBucketSize = 65536;

  std::size_t bucket_size = 256;   // 2 to kMaxBucketSize
  std::size_t max_position = 512;  // more than bucket_size / 2 + 1, less than 2^31; Open: at least bucket_size as well
  DebertaReach reach = DebertaReach::Limited;
};

/// The bucket of each distance, an odd function of it.
///
/// out      [count]   about -bucket_size to bucket_size
/// delta    [count]   query - key: whole, |delta| <= kMaxPosition
///
/// Errors     BadShape (no distance, the rule), WrongLength, OutOfRange; out is then unchanged.
/// Accuracy   exact at every border of two buckets.
/// Source     He et al. 2021, arXiv:2111.09543, and the code of DeBERTa v2.
[[nodiscard]] Status deberta_buckets(std::span<std::int32_t> out, std::span<const double> delta,
                                     DebertaRule rule) noexcept;

/// Disentangled scores: scale times query_i . key_j + query_i . relative_key[row] + key_j . relative_query[row], where
/// row belongs to the distance i - j in both terms. Row r of a table stands for the distance, or bucket of distances,
/// r - span; those further away share the first and last row. The models' scale is 1 / sqrt(head_dim terms), where
/// terms counts those that are there, the first included.
///
/// Errors     of check: BadShape (span, rule), WrongLength.
/// Accuracy   that of attention.
/// Source     He et al. 2020, arXiv:2006.03654, section 3.1; the row of position to content is that of the code, since
///            the paper's index reads j - i.
class DebertaTerm final : public RelativeTerm {
 public:
  static constexpr std::size_t kMaxSpan = std::size_t{1} << 30;

  /// relative_key     [heads, 2 span, head_dim], projected: content to position; empty without the term
  /// relative_query   [heads, 2 span, head_dim], projected: position to content; empty without the term
  /// span             1 ... kMaxSpan
  /// rule             buckets (v2, v3), or none for distances as they are (v1)
  DebertaTerm(std::span<const float> relative_key, std::span<const float> relative_query, std::size_t span,
              std::optional<DebertaRule> rule) noexcept
      : relative_key_(relative_key), relative_query_(relative_query), span_(span), rule_(rule) {}

  [[nodiscard]] Status check(const AttentionShape& shape, DistanceRange distances) const noexcept override;
  void add(Rows scores, const ScoreBlock& block, const ScoreOperands& operands) const noexcept override;

 private:
  std::span<const float> relative_key_;
  std::span<const float> relative_query_;
  std::size_t span_;
  std::optional<DebertaRule> rule_;
};

}  // namespace posenc
