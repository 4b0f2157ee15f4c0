#pragma once

#include <cstddef>
#include <span>

#include "core/numeric/phase.hpp"
#include "core/numeric/status.hpp"

namespace posenc {

/// The positions that the rows of a table stand for: whole numbers with |p| <= kMaxPosition.
struct Positions {
  std::size_t length = 0;
  double start = 0;                     // row r stands for start + r ...
  std::span<const double> values = {};  // ... unless there is one value per row here

  [[nodiscard]] double at(std::size_t row) const noexcept {
    return values.empty() ? start + static_cast<double>(row) : values[row];
  }
};

/// How the sines and cosines of a row are laid out in memory.
enum class AngleLayout {
  SinCosInterleaved,  // columns sin 0, cos 0, sin 1, cos 1, ...
  SinThenCos,         // all sines, then all cosines
  CosThenSin,         // all cosines, then all sines
};

/// Rows of sines and cosines of position * inv_freq, each correct to 0.51 ulp at every position.
///
/// out        [length, dim]   every column is written; columns without a frequency become zero
/// inv_freq   radians per token, at most ceil(dim / 2) of them; where columns run out, the last one is a lone sine
///
/// Errors     WrongLength, BadShape, OutOfRange, NotFinite; out is then unchanged.
/// Accuracy   |error| <= 0.51 ulp of the float result against the exact value for the given double frequency. Exact
///            rows (phase.hpp) are carried to their neighbours by PE(p + k) = T_k PE(p) in double, twice at most, and
///            rounded once; so the error does not grow along the table. Results so small that the carried error could
///            show are evaluated afresh.
/// Source     Vaswani et al. 2017, arXiv:1706.03762, section 3.5.
[[nodiscard]] Status sin_cos_rows(std::span<float> out, std::span<const double> inv_freq, Positions positions,
                                  std::size_t dim, AngleLayout layout) noexcept;

/// The same as two tables, multiplied by `scale` before the one rounding.
///
/// cos, sin   [length, pairs]   pairs = inv_freq.size()
///
/// Errors     WrongLength, BadShape, OutOfRange, NotFinite; both are then unchanged.
[[nodiscard]] Status cos_sin_tables(std::span<float> cos, std::span<float> sin, std::span<const double> inv_freq,
                                    Positions positions, double scale) noexcept;

}  // namespace posenc
