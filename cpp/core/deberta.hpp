#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attention.hpp"
#include "status.hpp"

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

/// Queries and keys, and the relative tables that their model projected. Row r of a table stands for the distance, or
/// bucket of distances, r - span; those further away share the first and last row.
struct DebertaInputs {
  std::span<const float> query;                // [batch, query_length, heads, head_dim], or as format says
  std::span<const float> key;                  // [batch, key_length, kv_heads, head_dim]
  std::span<const float> relative_key = {};    // [heads, 2 span, head_dim]: content to position, empty without the term
  std::span<const float> relative_query = {};  // [heads, 2 span, head_dim]: position to content, empty without the term
};

/// Disentangled scores with distances as they are (v1).
///
/// (query_i . key_j + query_i . relative_key[row] + key_j . relative_query[row]) / sqrt(head_dim terms), where row
/// belongs to the distance i - j in both terms, and terms counts those that are there.
///
/// out        [batch, heads, query_length, key_length]; overlaps no input
/// shape      its value_dim is not read
/// span       at least 1
///
/// Errors     BadShape, WrongLength; out is then unchanged.
/// Accuracy   sums in double, each score rounded once.
/// Source     He et al. 2020, arXiv:2006.03654, section 3.1; the row of position to content is that of the code, since
///            the paper's index reads j - i.
[[nodiscard]] Status deberta_scores(std::span<float> out, const DebertaInputs& inputs, const AttentionShape& shape,
                                    std::size_t span) noexcept;

/// The same with buckets of distances (v2, v3). BadShape for a wrong rule as well.
[[nodiscard]] Status deberta_scores(std::span<float> out, const DebertaInputs& inputs, const AttentionShape& shape,
                                    std::size_t span, DebertaRule rule) noexcept;

}  // namespace posenc
