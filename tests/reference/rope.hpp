#pragma once

#include <cstddef>
#include <vector>

#include "core/rotary/rope.hpp"

namespace posenc::reference {

/// Where channel 0 of a token's head lies.
inline std::size_t head_offset(TensorFormat format, std::size_t batch, std::size_t heads, std::size_t head,
                               std::size_t length, std::size_t token, std::size_t dim) {
  return format == TensorFormat::Bshd ? ((batch * length + token) * heads + head) * dim
                                      : ((batch * heads + head) * length + token) * dim;
}

/// One head, with each pair (a, b) turned to (a cos - b sin, a sin + b cos).
inline std::vector<double> rotated(const float* x, std::size_t head_dim, const float* cos, const float* sin,
                                   std::size_t rotary_dim, Pairing pairing) {
  std::vector<double> y(x, x + head_dim);
  for (std::size_t p = 0; p < rotary_dim / 2; ++p) {
    const std::size_t a = pairing == Pairing::Half ? p : 2 * p;
    const std::size_t b = pairing == Pairing::Half ? p + rotary_dim / 2 : 2 * p + 1;
    y[a] = double{x[a]} * cos[p] - double{x[b]} * sin[p];
    y[b] = double{x[a]} * sin[p] + double{x[b]} * cos[p];
  }
  return y;
}

}  // namespace posenc::reference
