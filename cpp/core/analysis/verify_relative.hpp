#pragma once

#include <cstddef>
#include <span>

#include "core/numeric/status.hpp"
#include "core/rotary/rope.hpp"
#include "core/rotary/rotary_precision.hpp"

namespace posenc {

struct RotaryScore {
  std::size_t head_dim = 0;
  std::size_t rotary_dim = 0;
  Pairing pairing = Pairing::Half;
  double attention_factor = 1;
  RotaryPrecision precision = {};
};

/// The rotary score of a query at `shift` and a key at `shift + distance`, for many shifts, and how far it is from the
/// exact score at shift 0. In exact arithmetic every residual is zero.
///
/// query, key        [head_dim]
/// inv_freq          [rotary_dim / 2]
/// shifts            [n]   whole numbers; shift and shift + distance within kMaxPosition
/// score, residual   [n]   residual = |score - exact score|; NaN where a stage overflowed its type
///
/// Errors            WrongLength, OddDimension, BadShape, OutOfRange, NotFinite.
/// Accuracy          the score is summed in double over the stages as rounded: see rotary_rounding.
/// Source            Su et al. 2021, arXiv:2104.09864, equation 16.
[[nodiscard]] Status verify_relative(std::span<double> score, std::span<double> residual, std::span<const float> query,
                                     std::span<const float> key, std::span<const double> inv_freq, double distance,
                                     std::span<const double> shifts, RotaryScore options) noexcept;

/// By how much two such scores of the same distance can differ because the table is rounded and sums are: at any shift,
/// where neither positions nor angles are. Rounded frequencies are another embedding, whose scores agree, too.
///
/// query, key        [head_dim]   head_dim and rotary_dim as verify_relative takes them
[[nodiscard]] double rotary_rounding(std::span<const float> query, std::span<const float> key,
                                     const RotaryScore& options) noexcept;

}  // namespace posenc
