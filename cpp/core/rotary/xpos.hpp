#pragma once

#include <span>

#include "core/numeric/angle_table.hpp"
#include "core/numeric/status.hpp"

namespace posenc {

/// Cosines and sines of position * inv_freq, times the attention factor and the scale of xPos,
/// exp((position - center) * log_scale).
///
/// cos, sin    [length, pairs]   pairs = inv_freq.size(); for rope_rotate
/// log_scale   [pairs]           ln(zeta) / scale_base for queries, its negative for keys, with
///                               zeta = (pair / pairs + gamma) / (1 + gamma)
/// center      where the scale is 1; scores do not depend on it as long as queries and keys share it
///
/// Errors      WrongLength, BadShape, NotFinite, OutOfRange (also for a position so far from the center that a scale
/// leaves
///             e^-87 ... e^87, the range of floats); both are then unchanged.
/// Accuracy    |error| <= 0.51 ulp
/// Source      Sun et al. 2022, arXiv:2212.10554, section 2; torchscale XPOS, with one center for queries and keys
[[nodiscard]] Status xpos_table(std::span<float> cos, std::span<float> sin, std::span<const double> inv_freq,
                                std::span<const double> log_scale, Positions positions, double center,
                                double attention_factor) noexcept;

}  // namespace posenc
