#pragma once

#include <cstddef>
#include <span>

#include "core/numeric/angle_table.hpp"
#include "core/numeric/status.hpp"

namespace posenc {

/// Sinusoidal encoding of points in a plane: that of their first coordinate in the first half of the columns, that of
/// the second in the other half.
///
/// out             [length, 2 * 2n]
/// inv_freq        [n]        radians per unit, the same for both coordinates
/// first, second   [length]   any numbers with |x| <= kMaxPosition
///
/// Errors     WrongLength, BadShape, OutOfRange, NotFinite; out is then unchanged.
/// Accuracy   |error| <= 0.51 ulp, or 2^-96 where that is more
/// Source     Carion et al. 2020 (DETR), arXiv:2005.12872, PositionEmbeddingSine; He et al. 2021 (MAE),
///            arXiv:2111.06377, get_2d_sincos_pos_embed.
[[nodiscard]] Status sinusoidal_2d(std::span<float> out, std::span<const double> inv_freq,
                                   std::span<const double> first, std::span<const double> second,
                                   AngleLayout layout) noexcept;

}  // namespace posenc
