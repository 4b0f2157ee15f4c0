#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/relative/deberta.hpp"

namespace posenc::reference {

/// The formula with logarithms. Those of a distance on the border of two buckets are off by about 1e-17, and no other
/// distance of the tests is closer to a border than 1e-9.
inline long deberta_bucket(long delta, const DebertaRule& rule) {
  const long exact = static_cast<long>(rule.bucket_size / 2);
  const long last = static_cast<long>(rule.max_position) - 1;
  const long limited = rule.reach == DebertaReach::Limited ? std::clamp(delta, -last, last) : delta;
  const long distance = std::abs(limited);
  if (distance <= exact) return limited;
  const auto ratio = [exact](long to) { return std::log(static_cast<long double>(to) / exact); };
  const long double steps = ratio(distance) / ratio(last) * static_cast<long double>(exact - 1);
  const long size = exact + static_cast<long>(std::ceil(steps - 1e-12L));
  return limited < 0 ? -size : size;
}

/// The row of the relative tables for a distance or bucket.
inline std::size_t deberta_row(long place, std::size_t span) {
  const long middle = static_cast<long>(span);
  return static_cast<std::size_t>(std::clamp(place + middle, 0L, 2 * middle - 1));
}

}  // namespace posenc::reference
