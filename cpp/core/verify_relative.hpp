#pragma once

#include <cstddef>
#include <span>

#include "rope.hpp"
#include "status.hpp"

namespace posenc {

enum class Dtype { F64, F32, F16, Bf16 };

/// x rounded to the nearest value of a type, ties to even; past the largest value it becomes infinite.
[[nodiscard]] double round_to(Dtype dtype, double x) noexcept;

/// In which type each stage of a rotary table is held. All F64 means exact phases at every position.
struct RotaryPrecision {
  Dtype position = Dtype::F64;
  Dtype inv_freq = Dtype::F64;
  Dtype angle = Dtype::F64;  // the product of the two
  Dtype table = Dtype::F64;  // its cosine and sine
};

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
/// Accuracy          the score is summed in double over the stages as rounded.
/// Source            Su et al. 2021, arXiv:2104.09864, equation 16.
[[nodiscard]] Status verify_relative(std::span<double> score, std::span<double> residual, std::span<const float> query,
                                     std::span<const float> key, std::span<const double> inv_freq, double distance,
                                     std::span<const double> shifts, RotaryScore options) noexcept;

}  // namespace posenc
