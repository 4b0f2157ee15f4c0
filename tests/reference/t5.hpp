#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/relative/t5.hpp"

namespace posenc::reference {

/// The formula with logarithms. Those of a distance on the border of two buckets are off by about 1e-18, and no other
/// distance of the tests is closer to a border than 1e-9.
inline int t5_bucket(long relative, const T5Rule& rule) {
  const bool both = rule.reach == T5Reach::BothSides;
  const long n = static_cast<long>(both ? rule.buckets / 2 : rule.buckets);
  const long first = both && relative > 0 ? n : 0;
  const long distance = both ? std::abs(relative) : std::max(-relative, 0L);
  const long exact = n / 2;
  if (distance < exact) return static_cast<int>(first + distance);
  const auto ratio = [exact](long double to) { return std::log(to / static_cast<long double>(exact)); };
  const long double steps = ratio(static_cast<long double>(distance)) /
                            ratio(static_cast<long double>(rule.max_distance)) * static_cast<long double>(n - exact);
  return static_cast<int>(first + std::min(n - 1, exact + static_cast<long>(std::floor(steps + 1e-12L))));
}

}  // namespace posenc::reference
