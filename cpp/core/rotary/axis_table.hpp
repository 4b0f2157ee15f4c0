#pragma once

#include <cstddef>
#include <span>

namespace posenc {

/// Pairs first, first + step, ... before end.
struct PairRange {
  std::size_t first = 0;
  std::size_t end = 0;
  std::size_t step = 1;
};

/// Fills some columns of a table of cosines and sines: those of the pairs that turn by one axis of a position.
///
/// cos, sin    [rows, pairs]   pairs = inv_freq.size(); columns outside of the range stay as they are
/// positions   [rows]          along this axis: whole, |p| <= kMaxPosition
/// scale       multiplies both before the one rounding
///
/// Accuracy    |error| <= 0.51 ulp
void fill_axis(std::span<float> cos, std::span<float> sin, std::span<const double> inv_freq, PairRange range,
               std::span<const double> positions, double scale) noexcept;

}  // namespace posenc
