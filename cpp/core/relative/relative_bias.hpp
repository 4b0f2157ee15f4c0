#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "core/numeric/check.hpp"
#include "core/numeric/shape.hpp"
#include "core/numeric/status.hpp"

namespace posenc {

/// A bias that is added to the scores of attention: [heads, query_length, key_length]. Query i is at position
/// query_start + i and key j at position key_start + j; their distance is query - key.
struct BiasShape {
  std::size_t heads = 0;
  std::size_t query_length = 0;
  std::size_t key_length = 0;
  double query_start = 0;  // whole, |query_start| <= kMaxPosition
  double key_start = 0;    // whole, |key_start| <= kMaxPosition

  [[nodiscard]] double query_position(std::size_t query) const noexcept {
    return query_start + static_cast<double>(query);
  }
  [[nodiscard]] double distance(std::size_t query, std::size_t key) const noexcept {
    return query_position(query) - (key_start + static_cast<double>(key));
  }
  /// Where the bias of key 0 lies.
  [[nodiscard]] std::size_t row(std::size_t head, std::size_t query) const noexcept {
    return (head * query_length + query) * key_length;
  }
};

/// BadShape, WrongLength, or OutOfRange.
[[nodiscard]] inline Status check_bias(std::span<const float> out, const BiasShape& shape) noexcept {
  if (shape.heads == 0 || shape.query_length == 0 || shape.key_length == 0) return Status::BadShape;
  if (product({shape.heads, shape.query_length, shape.key_length}) != out.size()) return Status::WrongLength;
  const bool in_range = is_whole(shape.query_start, kMaxPosition) && is_whole(shape.key_start, kMaxPosition);
  return in_range ? Status::Ok : Status::OutOfRange;
}

/// Copies row `query` - 1 of one head to row `query`, one key further: there a key is as far from its query as the key
/// before it was in the row above. The bias of key 0 is left as it is.
inline void shift_row(std::span<float> out, const BiasShape& shape, std::size_t head, std::size_t query) noexcept {
  const std::span<const float> above = out.subspan(shape.row(head, query - 1), shape.key_length - 1);
  std::ranges::copy(above, out.begin() + static_cast<std::ptrdiff_t>(shape.row(head, query) + 1));
}

/// Fills a bias that depends on the distance only: each of the query_length + key_length - 1 distances is computed
/// once.
///
/// bias_at   bias_at(distance) gives a function from a head to its bias
template <class BiasAt>
void fill_by_distance(std::span<float> out, const BiasShape& shape, BiasAt bias_at) noexcept {
  const auto fill = [&](std::size_t query, std::size_t key) {
    const auto of_head = bias_at(shape.distance(query, key));
    for (std::size_t h = 0; h < shape.heads; ++h) out[shape.row(h, query) + key] = of_head(h);
  };
  for (std::size_t key = 0; key < shape.key_length; ++key) fill(0, key);
  for (std::size_t query = 1; query < shape.query_length; ++query) fill(query, 0);
  for (std::size_t h = 0; h < shape.heads; ++h) {
    for (std::size_t query = 1; query < shape.query_length; ++query) shift_row(out, shape, h, query);
  }
}

}  // namespace posenc
