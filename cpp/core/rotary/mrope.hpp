#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/numeric/status.hpp"

namespace posenc {

/// How many pairs of a head turn by the time, the height and the width of a position.
using MropeSections = std::array<std::size_t, 3>;

/// Which pairs those are.
enum class MropeOrder {
  Chunked,      // one section after the other: Qwen2-VL
  Interleaved,  // pairs 1, 4, 7, ... by height, 2, 5, 8, ... by width, as many as their sections say, all others by
                // time: Qwen3-VL
};

/// Cosines and sines of position * inv_freq, times the attention factor, where each pair reads the position of its
/// axis. The table equals that of rope_table where the three positions do.
///
/// cos, sin    [length, pairs]   pairs = inv_freq.size(), the sum of the sections; for rope_rotate
/// positions   [3, length]       time, height and width: whole, |p| <= kMaxPosition
///
/// Errors      WrongLength, BadShape (sections that are not all pairs), OutOfRange, NotFinite; both are then unchanged.
/// Accuracy    |error| <= 0.51 ulp
/// Source      Wang et al. 2024 (Qwen2-VL), arXiv:2409.12191, section 2.1; Bai et al. 2025 (Qwen3-VL), arXiv:2511.21631
[[nodiscard]] Status mrope_table(std::span<float> cos, std::span<float> sin, std::span<const double> inv_freq,
                                 std::span<const double> positions, MropeSections sections, MropeOrder order,
                                 double attention_factor) noexcept;

}  // namespace posenc
