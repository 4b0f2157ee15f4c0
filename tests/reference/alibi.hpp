#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace posenc::reference {

/// 2^(-bias_max / heads) and its powers.
inline std::vector<double> geometric_slopes(std::size_t heads, double bias_max) {
  const double first = std::pow(2.0, -bias_max / static_cast<double>(heads));
  std::vector<double> slopes;
  for (std::size_t h = 1; h <= heads; ++h) slopes.push_back(std::pow(first, static_cast<double>(h)));
  return slopes;
}

/// The published code, which calls itself: for a number that is no power of two, the slopes of the power of two below,
/// then those of twice as many heads, every other one from the first on, as many as are missing.
inline std::vector<double> published_slopes(std::size_t heads, double bias_max) {
  std::size_t power = 1;
  while (2 * power <= heads) power *= 2;
  std::vector<double> slopes = geometric_slopes(power, bias_max);
  const std::vector<double> doubled = geometric_slopes(2 * power, bias_max);
  for (std::size_t h = 0; slopes.size() < heads; h += 2) slopes.push_back(doubled[h]);
  return slopes;
}

}  // namespace posenc::reference
