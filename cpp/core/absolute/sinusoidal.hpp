#pragma once

#include <cstddef>
#include <span>

#include "core/numeric/angle_table.hpp"
#include "core/numeric/status.hpp"

namespace posenc {

/// Sinusoidal position encoding: sines and cosines of position * inv_freq.
///
/// out        [length, dim]
/// inv_freq   radians per token. ceil(dim / 2) of them (an odd dim has one sine more, the last of the sines) or
///            floor(dim / 2) (an odd dim ends in a zero column, as tensor2tensor pads it)
///
/// Errors     WrongLength, BadShape, OutOfRange, NotFinite; out is then unchanged.
/// Accuracy   |error| <= 0.51 ulp, see sin_cos_rows.
/// Source     Vaswani et al. 2017, arXiv:1706.03762, section 3.5; tensor2tensor get_timing_signal_1d.
[[nodiscard]] Status sinusoidal(std::span<float> out, std::span<const double> inv_freq, Positions positions,
                                std::size_t dim, AngleLayout order) noexcept;

}  // namespace posenc
