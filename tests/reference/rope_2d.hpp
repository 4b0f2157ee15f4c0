#pragma once

#include <cstddef>
#include <vector>

#include "core/rotary/rope_2d.hpp"

namespace posenc::reference {

/// One head turned by a row and a column, where cos and sin hold those of the row and then those of the column.
inline std::vector<double> rotated_2d(const float* x, std::size_t head_dim, const float* cos, const float* sin,
                                      std::size_t rotary_dim, Rope2dVariant variant, Direction direction) {
  std::vector<double> y(x, x + head_dim);
  const std::size_t n = rotary_dim / 4;
  for (std::size_t p = 0; p < 2 * n; ++p) {
    std::size_t a = p, b = p + 2 * n;
    if (variant == Rope2dVariant::Axial) {
      a = 2 * p;
      b = 2 * p + 1;
    } else if (variant == Rope2dVariant::Chatglm) {
      a = p < n ? p : 2 * n + (p - n);
      b = a + n;
    }
    const double c = cos[p], s = direction == Direction::Inverse ? -sin[p] : sin[p];
    y[a] = double{x[a]} * c - double{x[b]} * s;
    y[b] = double{x[a]} * s + double{x[b]} * c;
  }
  return y;
}

}  // namespace posenc::reference
