#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "phase.hpp"
#include "status.hpp"

namespace posenc {

/// Whether x is a whole number with |x| <= limit. NaN is not.
[[nodiscard]] inline bool is_whole(double x, double limit) noexcept {
  return std::abs(x) <= limit && x == std::trunc(x);
}

[[nodiscard]] inline bool all_whole(std::span<const double> values, double limit) noexcept {
  return std::ranges::all_of(values, [limit](double x) { return is_whole(x, limit); });
}

/// NotFinite, or OutOfRange past kMaxFrequency.
[[nodiscard]] inline Status check_frequencies(std::span<const double> inv_freq) noexcept {
  if (!std::ranges::all_of(inv_freq, [](double radians) { return std::isfinite(radians); })) return Status::NotFinite;
  const bool in_range =
      std::ranges::all_of(inv_freq, [](double radians) { return std::abs(radians) <= kMaxFrequency; });
  return in_range ? Status::Ok : Status::OutOfRange;
}

}  // namespace posenc
