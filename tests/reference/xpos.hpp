#pragma once

#include <cstddef>

namespace posenc::reference {

/// By how much xPos scales a pair of a query per scale base; a key's is scaled by the reciprocal.
inline double xpos_zeta(std::size_t pair, std::size_t rotary_dim, double gamma) {
  return (2.0 * static_cast<double>(pair) / static_cast<double>(rotary_dim) + gamma) / (1 + gamma);
}

}  // namespace posenc::reference
