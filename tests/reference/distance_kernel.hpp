#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <utility>
#include <vector>

#include "angles.hpp"

namespace posenc::reference {

/// mean over pairs of cos(distance * inv_freq)
inline double kernel(double distance, const std::vector<double>& inv_freq) {
  long double sum = 0;
  for (const double theta : inv_freq) sum += cos_sin(distance, theta).cos;
  return static_cast<double>(sum / static_cast<long double>(inv_freq.size()));
}

/// mean over j = 1 ... pairs of |sum over p < j of exp(i distance inv_freq_p)|
inline double decay_bound(double distance, const std::vector<double>& inv_freq) {
  std::complex<double> partial = 0;
  double sizes = 0;
  for (const double theta : inv_freq) {
    const CosSin angle = cos_sin(distance, theta);
    partial += std::complex<double>(angle.cos, angle.sin);
    sizes += std::abs(partial);
  }
  return sizes / static_cast<double>(inv_freq.size());
}

/// (distance, K) of the whole n in [from, to] with K(n - 1) <= K(n) > K(n + 1), strongest first, then nearest.
inline std::vector<std::pair<double, double>> peaks(const std::vector<double>& inv_freq, double from, double to) {
  std::vector<std::pair<double, double>> found;
  for (double n = from; n <= to; ++n) {
    const double here = kernel(n, inv_freq);
    if (kernel(n - 1, inv_freq) <= here && here > kernel(n + 1, inv_freq)) found.emplace_back(n, here);
  }
  std::ranges::sort(found, [](const auto& a, const auto& b) {
    return std::pair(-a.second, a.first) < std::pair(-b.second, b.first);
  });
  return found;
}

}  // namespace posenc::reference
