#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace posenc::reference {

/// R(t) . projection for one distance: [heads, head_dim].
inline std::vector<double> projected_sinusoid(double distance, std::span<const float> projection, std::size_t dim,
                                              std::size_t columns) {
  const std::size_t sines = (dim + 1) / 2;
  std::vector<double> row(columns, 0);
  for (std::size_t m = 0; m < dim; ++m) {
    const std::size_t p = m < sines ? m : m - sines;
    const double angle = distance * std::pow(10000.0, -2.0 * static_cast<double>(p) / static_cast<double>(dim));
    const double wave = m < sines ? std::sin(angle) : std::cos(angle);
    for (std::size_t c = 0; c < columns; ++c) row[c] += wave * double{projection[m * columns + c]};
  }
  return row;
}

}  // namespace posenc::reference
