#include "core/numeric/phase.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "core/numeric/simd.hpp"

namespace posenc {
namespace {

// 1 / (2 pi) in fixed point, the first word with weight 2^-64.
constexpr std::array<std::uint64_t, 3> kInverseTurn = {0x28be60db9391054a, 0x7f09d5f47d4d3770, 0x36d8a5664f10e410};

// 2 pi * 2^61, rounded.
constexpr std::uint64_t kTurn = 0xc90fdaa22168c235;

// Below it, cos is 1 and sin the angle to within 2^-55.
constexpr double kTinyAngle = 0x1p-27;

constexpr std::uint64_t kEighthTurn = std::uint64_t{1} << 61;

// The bits of a 64-bit number with a leading one that do not fit into a double.
constexpr std::uint64_t kBelowDouble = 0x7ff;

struct Product128 {
  std::uint64_t high;
  std::uint64_t low;
};

Product128 multiply(std::uint64_t a, std::uint64_t b) noexcept {
  constexpr std::uint64_t kHalf = 0xffffffff;
  const std::uint64_t low = (a & kHalf) * (b & kHalf);
  const std::uint64_t cross = (a >> 32) * (b & kHalf) + (low >> 32);
  const std::uint64_t middle = (a & kHalf) * (b >> 32) + (cross & kHalf);
  return {(a >> 32) * (b >> 32) + (cross >> 32) + (middle >> 32), (middle << 32) | (low & kHalf)};
}

TurnFraction operator+(TurnFraction a, TurnFraction b) noexcept {
  const std::uint64_t low = a.low + b.low;
  return {a.high + b.high + (low < a.low), low};
}

TurnFraction negated(TurnFraction x) noexcept { return {~x.high + (x.low == 0), ~x.low + 1}; }

// Up to here, in radians, quarter turns in two doubles are known to 2^-96.
constexpr double kDoubleDoubleSuffices = 4;

// Adding and subtracting these rounds numbers below 4 to multiples of 2^-20 or 2^-42.
constexpr double kRoundTo20 = 0x1.8p32;
constexpr double kRoundTo42 = 0x1.8p10;

struct DoubleDouble {
  double high;
  double low;
};

/// x * 2 / pi, the product of doubles exact (Dekker 1971, A floating-point technique for extending the precision).
DoubleDouble times_inverse_quarter_turn(double x) noexcept {
  constexpr double kHigh = 0x1.45f306dc9c883p-1, kLow = -0x1.6b01ec5417056p-55;  // 2 / pi
  constexpr double kSplitter = 0x1p27 + 1;
  constexpr double kHighUpper = kSplitter * kHigh - (kSplitter * kHigh - kHigh), kHighLower = kHigh - kHighUpper;
  const double scaled = kSplitter * x;
  const double upper = scaled - (scaled - x), lower = x - upper;
  const double product = x * kHigh;
  const double lost = ((upper * kHighUpper - product) + upper * kHighLower + lower * kHighUpper) + lower * kHighLower;
  return {product, lost + x * kLow};
}

// Taylor series for |x| <= pi / 4, z = x^2. The first term left out is below 2^-60 of the result.

// sin x = x + x z sin_series(z)
template <class Real>
Real sin_series(Real z) noexcept {
  Real sum(1.0 / 355687428096000);
  for (const double term :
       {-1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6}) {
    sum = mul_add(sum, z, Real(term));
  }
  return sum;
}

// cos x = 1 - z / 2 + z^2 cos_series(z)
template <class Real>
Real cos_series(Real z) noexcept {
  Real sum(1.0 / 20922789888000);
  for (const double term : {-1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24}) {
    sum = mul_add(sum, z, Real(term));
  }
  return sum;
}

}  // namespace

TurnFraction turns_per_token(double radians) noexcept {
  // |radians| = mantissa 2^(exponent - 1075)
  const auto pattern = std::bit_cast<std::uint64_t>(std::abs(radians));
  const std::uint64_t exponent = std::max<std::uint64_t>(pattern >> 52, 1);
  const std::uint64_t mantissa = pattern - ((exponent - 1) << 52);

  // mantissa / (2 pi), the last word with weight 2^-192
  const Product128 p2 = multiply(mantissa, kInverseTurn[2]);
  const Product128 p1 = multiply(mantissa, kInverseTurn[1]);
  const Product128 p0 = multiply(mantissa, kInverseTurn[0]);
  const std::uint64_t w1 = p1.low + p2.high;
  const std::uint64_t carry = p1.high + (w1 < p1.low);
  const std::uint64_t w2 = p0.low + carry;
  const std::uint64_t w3 = p0.high + (w2 < carry);
  const std::array<std::uint64_t, 6> words = {p2.low, w1, w2, w3, 0, 0};

  // ... times 2^(exponent - 1075), the last word with weight 2^-128
  const std::uint64_t shift = 64 + 1075 - exponent;
  if (shift >= 256) return {};
  const auto word = static_cast<std::size_t>(shift / 64);
  const auto bits = static_cast<int>(shift % 64);
  const auto shifted = [&](std::size_t i) {
    return bits == 0 ? words[i] : (words[i] >> bits) | (words[i + 1] << (64 - bits));
  };
  const TurnFraction turns = {shifted(word + 1), shifted(word)};
  return radians < 0 ? negated(turns) : turns;
}

TurnFraction operator*(std::int64_t count, TurnFraction turns) noexcept {
  const auto wrapped = static_cast<std::uint64_t>(count);
  const std::uint64_t magnitude = count < 0 ? 0 - wrapped : wrapped;
  const Product128 low = multiply(magnitude, turns.low);
  const TurnFraction product = {low.high + magnitude * turns.high, low.low};
  return count < 0 ? negated(product) : product;
}

CosSin cos_sin(TurnFraction phase) noexcept {
  // The nearest quarter turn, and what is left: at most an eighth of a turn to either side.
  const std::uint64_t quarter = (phase.high + kEighthTurn) >> 62;
  const TurnFraction left = {phase.high - (quarter << 62), phase.low};
  const bool backward = (left.high >> 63) != 0;
  const auto [high, low] = backward ? negated(left) : left;

  // |x| = x_high + x_low, from the leading 64 bits of what is left
  const int zeros = high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(low);
  std::uint64_t leading = 0;
  if (zeros < 64) {
    leading = (high << zeros) | (low >> (64 - zeros));  // zeros is 2 at least
  } else if (zeros < 128) {
    leading = low << (zeros - 64);
  }
  const std::uint64_t radians = multiply(leading, kTurn).high;  // weight 2^-(61 + zeros)
  const auto weight = std::bit_cast<double>(static_cast<std::uint64_t>(1023 - 61 - zeros) << 52);
  const double x_high = static_cast<double>(radians & ~kBelowDouble) * weight;
  const double x_low = static_cast<double>(radians & kBelowDouble) * weight;

  const double z = x_high * x_high;
  const double near_one = 1 - z / 2;
  const double lost = (1 - near_one) - z / 2;
  const double c = near_one + (lost + (z * z * cos_series(z) - x_high * x_low));
  const double magnitude = x_high + (x_high * z * sin_series(z) + x_low * near_one);
  const double s = backward ? -magnitude : magnitude;
  switch (quarter) {
    case 0:
      return {c, s};
    case 1:
      return {-s, c};
    case 2:
      return {-c, -s};
    default:
      return {s, -c};
  }
}

CosSin cos_sin(double position, double radians) noexcept {
  const double angle = position * radians;
  if (std::abs(angle) < kTinyAngle) return {1, angle};
  return cos_sin(static_cast<std::int64_t>(position) * turns_per_token(radians));
}

CosSin cos_sin_of_real(double x, double radians) noexcept {
  const double angle = x * radians;
  if (std::abs(angle) < kTinyAngle) return {1, angle};
  // x is a sum of two whole numbers below 2^27, the first one times 2^27, all times a power of two: so short that the
  // error of the turns stays short as well.
  constexpr int kHalf = 27;
  int exponent = 0;
  const double scaled = std::ldexp(std::frexp(x, &exponent), kHalf);
  const auto high = static_cast<std::int64_t>(scaled);
  const auto low = static_cast<std::int64_t>(std::ldexp(scaled - static_cast<double>(high), kHalf));
  return cos_sin(high * turns_per_token(std::ldexp(radians, exponent - kHalf)) +
                 low * turns_per_token(std::ldexp(radians, exponent - 2 * kHalf)));
}

AngleBlock::AngleBlock(std::span<const double> inv_freq) noexcept : inv_freq_(inv_freq) {
  for (std::size_t p = 0; p < inv_freq.size(); ++p) {
    const DoubleDouble quarters = times_inverse_quarter_turn(inv_freq[p]);
    coarse_[p] = (quarters.high + kRoundTo20) - kRoundTo20;
    const double left = quarters.high - coarse_[p];
    fine_[p] = (left + kRoundTo42) - kRoundTo42;
    rest_[p] = (left - fine_[p]) + quarters.low;
  }
  for (std::size_t p = 0; p < inv_freq.size(); ++p) {
    if (std::abs(inv_freq[p]) <= kDoubleDoubleSuffices) continue;
    const auto [high, low] = turns_per_token(inv_freq[p]);
    coarse_[p] = 0x1p-20 * static_cast<double>(high >> 42);
    fine_[p] = 0x1p-42 * static_cast<double>((high >> 20) & 0x3fffff);
    rest_[p] = 0x1p-106 * static_cast<double>((high << 44) | (low >> 20));
  }
}

void AngleBlock::cos_sin(double position, std::span<double, kPairs> cos, std::span<double, kPairs> sin) const noexcept {
  const std::size_t pairs = inv_freq_.size();
  if (std::abs(position) > kMaxPosition) {
    for (std::size_t p = 0; p < pairs; ++p) {
      const CosSin exact = posenc::cos_sin(position, inv_freq_[p]);
      cos[p] = exact.cos;
      sin[p] = exact.sin;
    }
  } else {
    fast_cos_sin(position, cos.data(), sin.data());
  }
  const std::size_t padding = (kLanes - pairs % kLanes) % kLanes;
  std::fill_n(cos.begin() + static_cast<std::ptrdiff_t>(pairs), padding, 0.0);
  std::fill_n(sin.begin() + static_cast<std::ptrdiff_t>(pairs), padding, 0.0);
}

void AngleBlock::relative_cos_sin(double position, std::span<double, kPairs> cos,
                                  std::span<double, kPairs> sin) const noexcept {
  constexpr double kErrorShows = 0x1p-20;  // below it, an error of 2^-51 is more than 2^-31 of the value
  cos_sin(position, cos, sin);
  for (std::size_t p = 0; p < inv_freq_.size(); ++p) {
    if (std::min(std::abs(cos[p]), std::abs(sin[p])) >= kErrorShows) continue;
    if (std::abs(position * inv_freq_[p]) < std::numbers::pi / 4) continue;
    const CosSin exact = posenc::cos_sin(position, inv_freq_[p]);
    cos[p] = exact.cos;
    sin[p] = exact.sin;
  }
}

void AngleBlock::fast_cos_sin(double position, double* cos, double* sin) const noexcept {
  // Adding this makes a whole number of the sum; its last bits then count quarter turns.
  const Vec64 rounder(0x1.8p52);
  const VecBits64 one(1);
  const Vec64 count(position);
  for (std::size_t p = 0; p < inv_freq_.size(); p += kLanes64) {
    const Vec64 coarse = count * load(&coarse_[p]);
    const Vec64 coarse_quarters = coarse + rounder;
    const Vec64 fine = (coarse - (coarse_quarters - rounder)) + count * load(&fine_[p]);
    const Vec64 fine_quarters = fine + rounder;
    const Vec64 left = (fine - (fine_quarters - rounder)) + count * load(&rest_[p]);
    const VecBits64 quarter = to_bits(coarse_quarters) + to_bits(fine_quarters);

    const Vec64 x = left * (std::numbers::pi / 2);
    const Vec64 z = x * x;
    const Vec64 s = mul_add(x * z, sin_series(z), x);
    const Vec64 c = mul_add(z * z, cos_series(z), neg_mul_add(z, Vec64(0.5), Vec64(1)));
    const VecBits64 swapped = (to_bits(c) ^ to_bits(s)) & (VecBits64(0) - (quarter & one));
    const VecBits64 cos_sign = ((quarter + one) >> 1) << 63;
    const VecBits64 sin_sign = (quarter >> 1) << 63;
    store(&cos[p], from_bits(to_bits(c) ^ swapped ^ cos_sign));
    store(&sin[p], from_bits(to_bits(s) ^ swapped ^ sin_sign));
  }
}

}  // namespace posenc
