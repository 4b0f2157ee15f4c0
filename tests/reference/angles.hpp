#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace posenc::reference {

struct CosSin {
  double cos;
  double sin;
};

/// Cosine and sine of position * radians with the C library, the product exact in two doubles.
inline CosSin cos_sin(double position, double radians) {
  const double high = position * radians;
  const double low = std::fma(position, radians, -high);
  return {std::cos(high) * std::cos(low) - std::sin(high) * std::sin(low),
          std::sin(high) * std::cos(low) + std::cos(high) * std::sin(low)};
}

/// base^(-2p / dim), ceil(dim / 2) of them.
inline std::vector<double> frequencies(std::size_t dim, double base = 10000) {
  std::vector<double> inv_freq;
  for (std::size_t p = 0; 2 * p < dim; ++p) {
    inv_freq.push_back(std::pow(base, -2.0 * static_cast<double>(p) / static_cast<double>(dim)));
  }
  return inv_freq;
}

}  // namespace posenc::reference
