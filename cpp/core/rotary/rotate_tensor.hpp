#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/numeric/shape.hpp"
#include "core/numeric/status.hpp"
#include "core/rotary/rope.hpp"
#include "core/rotary/rotate_heads.hpp"

namespace posenc {

/// What a rotation refuses: see rope_rotate.
[[nodiscard]] Status check_rotation(std::span<float> out, std::span<const float> x, std::span<const float> cos,
                                    std::span<const float> sin, std::span<const std::uint32_t> rows,
                                    const RopeShape& shape) noexcept;

/// Calls turn(offset, heads, row) for all heads of a checked tensor: where the first one of a series starts, and the
/// table row of its token.
template <class Turn>
void for_each_series(std::span<const std::uint32_t> rows, const RopeShape& shape, Turn turn) noexcept {
  // Tokens whose cosines and sines stay in the first-level cache while all heads pass over them.
  constexpr std::size_t kTokenTile = 32;
  const auto strides = TensorStrides::of(shape.format, shape.heads, shape.length, shape.head_dim);
  const bool neighbours = shape.format == TensorFormat::Bshd;  // the heads of a token
  const std::size_t tile = neighbours ? 1 : kTokenTile;
  const HeadSeries series{neighbours ? shape.heads : 1, shape.head_dim};
  for (std::size_t b = 0; b < shape.batch; ++b) {
    const auto batch_rows = rows.size() > shape.length ? rows.subspan(b * shape.length, shape.length) : rows;
    for (std::size_t first = 0; first < shape.length; first += tile) {
      const std::size_t end = std::min(first + tile, shape.length);
      for (std::size_t h = 0; h < shape.heads; h += series.count) {
        for (std::size_t t = first; t < end; ++t) {
          turn(b * strides.batch + h * strides.head + t * strides.token, series,
               batch_rows.empty() ? t : batch_rows[t]);
        }
      }
    }
  }
}

}  // namespace posenc
