#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "core/numeric/angle_table.hpp"
#include "core/numeric/phase.hpp"
#include "core/numeric/status.hpp"

namespace posenc {

/// Whether x is a whole number with |x| <= limit. NaN is not.
[[nodiscard]] inline bool is_whole(double x, double limit) noexcept {
  return std::abs(x) <= limit && x == std::trunc(x);
}

[[nodiscard]] inline bool all_whole(std::span<const double> values, double limit) noexcept {
  return std::ranges::all_of(values, [limit](double x) { return is_whole(x, limit); });
}

/// Whether x is the number of a row, 0 to rows - 1.
[[nodiscard]] inline bool is_row(double x, std::size_t rows) noexcept {
  return x >= 0 && is_whole(x, static_cast<double>(rows) - 1);
}

[[nodiscard]] inline bool all_rows(std::span<const double> values, std::size_t rows) noexcept {
  return std::ranges::all_of(values, [rows](double x) { return is_row(x, rows); });
}

template <class Number>
[[nodiscard]] bool all_finite(std::span<const Number> values) noexcept {
  return std::ranges::all_of(values, [](Number x) { return std::isfinite(x); });
}

/// BadShape without a row, WrongLength, or OutOfRange past kMaxPosition and between whole numbers.
[[nodiscard]] inline Status check_positions(Positions positions) noexcept {
  if (positions.length == 0) return Status::BadShape;
  if (positions.values.empty()) {
    const double last = positions.start + static_cast<double>(positions.length - 1);
    return is_whole(positions.start, kMaxPosition) && last <= kMaxPosition ? Status::Ok : Status::OutOfRange;
  }
  if (positions.values.size() != positions.length) return Status::WrongLength;
  return all_whole(positions.values, kMaxPosition) ? Status::Ok : Status::OutOfRange;
}

/// NotFinite, or OutOfRange past kMaxFrequency.
[[nodiscard]] inline Status check_frequencies(std::span<const double> inv_freq) noexcept {
  if (!all_finite(inv_freq)) return Status::NotFinite;
  const bool in_range =
      std::ranges::all_of(inv_freq, [](double radians) { return std::abs(radians) <= kMaxFrequency; });
  return in_range ? Status::Ok : Status::OutOfRange;
}

}  // namespace posenc
