#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>

#include "attention.hpp"
#include "shape.hpp"
#include "status.hpp"

// What encodings share that form the scores of queries and keys themselves, because a query or key meets a vector of
// the distance.

namespace posenc {

/// Whether no size but value_dim is zero, and kv_heads divides heads.
[[nodiscard]] inline bool has_sizes(const AttentionShape& s) noexcept {
  const std::array sizes{s.batch, s.heads, s.kv_heads, s.query_length, s.key_length, s.head_dim};
  return std::ranges::find(sizes, 0u) == sizes.end() && s.heads % s.kv_heads == 0;
}

/// A span and the product of the sizes that its elements have.
struct SizedSpan {
  std::size_t size = 0;
  std::size_t expected = 0;
};

/// BadShape if a product overflows, WrongLength if a span has another length.
[[nodiscard]] inline Status check_lengths(std::initializer_list<SizedSpan> spans) noexcept {
  if (std::ranges::any_of(spans, [](SizedSpan s) { return s.expected == kTooLarge; })) return Status::BadShape;
  const bool fit = std::ranges::all_of(spans, [](SizedSpan s) { return s.size == s.expected; });
  return fit ? Status::Ok : Status::WrongLength;
}

[[nodiscard]] inline std::size_t query_count(const AttentionShape& s) noexcept {
  return product({s.batch, s.query_length, s.heads, s.head_dim});
}
[[nodiscard]] inline std::size_t key_count(const AttentionShape& s) noexcept {
  return product({s.batch, s.key_length, s.kv_heads, s.head_dim});
}
[[nodiscard]] inline std::size_t score_count(const AttentionShape& s) noexcept {
  return product({s.batch, s.heads, s.query_length, s.key_length});
}

/// Where a token of a tensor [batch, length, heads, dim], or as format says, starts.
[[nodiscard]] inline std::size_t token_offset(TensorFormat format, std::size_t heads, std::size_t length,
                                              std::size_t dim, std::size_t b, std::size_t h, std::size_t t) noexcept {
  const TensorStrides strides = TensorStrides::of(format, heads, length, dim);
  return b * strides.batch + h * strides.head + t * strides.token;
}

/// Query i of head h.
[[nodiscard]] inline const float* query_row(std::span<const float> query, const AttentionShape& s, std::size_t b,
                                            std::size_t h, std::size_t i) noexcept {
  return query.data() + token_offset(s.format, s.heads, s.query_length, s.head_dim, b, h, i);
}

/// Key or value j, `dim` wide, that head h of the queries reads.
[[nodiscard]] inline const float* key_row(std::span<const float> keys, const AttentionShape& s, std::size_t dim,
                                          std::size_t b, std::size_t h, std::size_t j) noexcept {
  const std::size_t kv_head = h / (s.heads / s.kv_heads);
  return keys.data() + token_offset(s.format, s.kv_heads, s.key_length, dim, b, kv_head, j);
}

/// Where the score of query i and key 0 lies in [batch, heads, query_length, key_length].
[[nodiscard]] inline std::size_t score_offset(const AttentionShape& s, std::size_t b, std::size_t h,
                                              std::size_t i) noexcept {
  return ((b * s.heads + h) * s.query_length + i) * s.key_length;
}

/// sum += weight * row.
inline void add_weighted(std::span<double> sum, double weight, const float* row) noexcept {
  for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += weight * static_cast<double>(row[c]);
}

/// Calls visit(b, h, i) for every query.
template <class Visit>
void for_each_query(const AttentionShape& s, Visit visit) noexcept {
  for (std::size_t b = 0; b < s.batch; ++b) {
    for (std::size_t h = 0; h < s.heads; ++h) {
      for (std::size_t i = 0; i < s.query_length; ++i) visit(b, h, i);
    }
  }
}

}  // namespace posenc
