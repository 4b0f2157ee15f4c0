#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace posenc {

/// An angle as a fraction of a turn in 128-bit fixed point, modulo one turn. Multiplying it by a whole number is exact
/// modulo one turn, so an angle at position 2^31 is known as well as one at position 1.
struct TurnFraction {
  std::uint64_t high = 0;  // weight 2^-64 of a turn
  std::uint64_t low = 0;   // weight 2^-128 of a turn
};

struct CosSin {
  double cos = 1;
  double sin = 0;
};

/// The largest |radians| per token that a table takes.
inline constexpr double kMaxFrequency = 4294967296.0;

/// The largest |position| that a table takes: 2^31.
inline constexpr double kMaxPosition = 2147483648.0;

/// radians / (2 pi) modulo one turn, for |radians| <= 2^63; off by less than 2^-127 of a turn.
[[nodiscard]] TurnFraction turns_per_token(double radians) noexcept;

/// count * turns modulo one turn. The error of `turns` grows |count|-fold: to 2^-96 of a turn at 2^31.
[[nodiscard]] TurnFraction operator*(std::int64_t count, TurnFraction turns) noexcept;

/// Cosine and sine of a phase, each within 1 ulp of double; relative accuracy is kept near their zeros.
[[nodiscard]] CosSin cos_sin(TurnFraction phase) noexcept;

/// Cosine and sine of position * radians, the product reduced exactly.
///
/// position   whole, |position| <= 2^53
/// radians    |radians| <= 2^63, however small
[[nodiscard]] CosSin cos_sin(double position, double radians) noexcept;

/// Cosine and sine of x * radians for any |x| <= kMaxPosition, the product reduced exactly: off by 2^-96 at most,
/// besides the rounding to double.
///
/// radians    |radians| <= kMaxFrequency
[[nodiscard]] CosSin cos_sin_of_real(double x, double radians) noexcept;

/// Up to kPairs frequencies, prepared for cosines and sines at many positions.
class AngleBlock {
 public:
  static constexpr std::size_t kPairs = 256;  // rows of so many are long enough for a processor to fetch ahead

  /// inv_freq   radians per token, at most kPairs of them, each |radians| <= kMaxFrequency; they must outlive the block
  explicit AngleBlock(std::span<const double> inv_freq) noexcept;

  /// Cosines and sines of position * inv_freq, then zeros up to a whole vector.
  ///
  /// position   whole, |position| <= 2^53; fast up to kMaxPosition
  ///
  /// Accuracy   |error| <= 2^-51; relative to the value while |position * inv_freq| < pi / 4.
  void cos_sin(double position, std::span<double, kPairs> cos, std::span<double, kPairs> sin) const noexcept;

  /// The same at every position to 2^-31 of the value itself, so that a float rounded from it is good to 0.51 ulp.
  void relative_cos_sin(double position, std::span<double, kPairs> cos, std::span<double, kPairs> sin) const noexcept;

 private:
  void fast_cos_sin(double position, double* cos, double* sin) const noexcept;

  std::span<const double> inv_freq_;

  // Quarter turns per token in three pieces; the first two are so short that their product with a position is exact.
  std::array<double, kPairs> coarse_{};  // multiples of 2^-20
  std::array<double, kPairs> fine_{};    // multiples of 2^-42, at most 2^-20
  std::array<double, kPairs> rest_{};
};

}  // namespace posenc
