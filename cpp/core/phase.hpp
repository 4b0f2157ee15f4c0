#pragma once

#include <cstdint>

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

/// The largest |radians| per token that `turns_per_token` takes.
inline constexpr double kMaxFrequency = 4294967296.0;

/// radians / (2 pi) modulo one turn, for |radians| <= kMaxFrequency; off by less than 2^-127 of a turn.
[[nodiscard]] TurnFraction turns_per_token(double radians) noexcept;

/// count * turns modulo one turn. |count| <= 2^53; the error of `turns` grows |count|-fold, to 2^-74 at most.
[[nodiscard]] TurnFraction operator*(std::int64_t count, TurnFraction turns) noexcept;

/// Cosine and sine of a phase, each within 1.5 ulp of double, relative accuracy kept near their zeros.
[[nodiscard]] CosSin cos_sin(TurnFraction phase) noexcept;

}  // namespace posenc
