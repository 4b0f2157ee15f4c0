#pragma once

#include <cstddef>
#include <span>

#include "attention.hpp"
#include "status.hpp"

namespace posenc {

/// Queries and keys with what a model learned about their distance. Row r of relative_keys stands for the distance
/// query - key = memory_length + query_length - r.
struct TransformerXlInputs {
  std::span<const float> query;          // [batch, query_length, heads, head_dim], or as format says
  std::span<const float> key;            // [batch, key_length, kv_heads, head_dim]
  std::span<const float> u;              // [heads, head_dim]: added to the query that meets a key
  std::span<const float> v;              // [heads, head_dim]: added to the query that meets a relative key
  std::span<const float> relative_keys;  // [query_length + key_length, heads, head_dim]
};

struct TransformerXlRule {
  double memory_length = 0;  // how many keys come before the first query: whole, 0 to kMaxPosition
  bool causal = false;       // keys after the query get -infinity
};

/// The relative keys of a model that projects sinusoids of the distance: row r is sinusoid(t) . projection for the
/// distance t = memory_length + query_length - r. A sinusoid is all sines, then all cosines, of t * inv_freq.
///
/// out            [query_length + key_length, heads, head_dim]
/// projection     [dim, heads, head_dim]
/// inv_freq       [ceil(dim / 2)]   radians per token; an odd dim ends in one cosine less
/// clamp_length   whole, >= 1: distances beyond it, on either side, are taken as it; infinity is no limit
/// scratch        at least dim + heads head_dim doubles
///
/// Errors     BadShape, WrongLength, NotFinite (inv_freq), OutOfRange; out is then unchanged.
/// Accuracy   sinusoids and sums in double, each result rounded once.
/// Source     Dai et al. 2019, arXiv:1901.02860, section 3.3.
[[nodiscard]] Status transformer_xl_keys(std::span<float> out, std::span<const float> projection,
                                         std::span<const double> inv_freq, const AttentionShape& shape, std::size_t dim,
                                         double memory_length, double clamp_length, std::span<double> scratch) noexcept;

/// The scores of Transformer-XL and XLNet:
/// ((query_i + u) . key_j + (query_i + v) . relative_key(memory_length + i - j)) / sqrt(head_dim).
///
/// out        [batch, heads, query_length, key_length]; overlaps no input
/// shape      its value_dim is not read
/// scratch    at least 2 head_dim floats
///
/// Errors     BadShape, WrongLength, OutOfRange (memory_length); out is then unchanged.
/// Accuracy   query + u and query + v rounded to float, sums in double, each score rounded once.
/// Source     Dai et al. 2019, arXiv:1901.02860, section 3.3; Yang et al. 2019, arXiv:1906.08237 (XLNet).
[[nodiscard]] Status transformer_xl_scores(std::span<float> out, const TransformerXlInputs& inputs,
                                           const AttentionShape& shape, TransformerXlRule rule,
                                           std::span<float> scratch) noexcept;

}  // namespace posenc
