#pragma once

#include <span>

#include "core/numeric/angle_table.hpp"
#include "core/numeric/phase.hpp"
#include "core/numeric/status.hpp"

namespace posenc {

enum class Dtype { F64, F32, F16, Bf16 };

/// x rounded to the nearest value of a type, ties to even; past the largest value it becomes infinite.
[[nodiscard]] double round_to(Dtype dtype, double x) noexcept;

/// The greatest |round_to(x) - x| / |x| where x is in the normal range of a type.
[[nodiscard]] double unit_roundoff(Dtype dtype) noexcept;

/// In which type each stage of a rotary table is held. All F64 means exact phases at every position.
struct RotaryPrecision {
  Dtype position = Dtype::F64;
  Dtype inv_freq = Dtype::F64;
  Dtype angle = Dtype::F64;  // the product of the two
  Dtype table = Dtype::F64;  // its cosine and sine, times the scale

  [[nodiscard]] bool operator==(const RotaryPrecision&) const noexcept = default;
};

/// scale times cosine and sine of position * inv_freq as a table of that precision holds them; NaN once a stage has
/// overflowed.
[[nodiscard]] CosSin rounded_cos_sin(double position, double inv_freq, double scale,
                                     const RotaryPrecision& precision) noexcept;

/// Two tables of them, each number rounded once more to float, which only a table in F64 notices.
///
/// cos, sin   [length, pairs]   pairs = inv_freq.size()
///
/// Errors     WrongLength, BadShape, OutOfRange, NotFinite; both are then unchanged.
/// Accuracy   every stage is rounded to nearest; between them 2^-51. All F64 gives cos_sin_tables.
[[nodiscard]] Status rounded_cos_sin_tables(std::span<float> cos, std::span<float> sin,
                                            std::span<const double> inv_freq, Positions positions, double scale,
                                            const RotaryPrecision& precision) noexcept;

}  // namespace posenc
