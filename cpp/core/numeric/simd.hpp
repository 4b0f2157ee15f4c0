#pragma once

// The only file that names xsimd or an intrinsic.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <xsimd/xsimd.hpp>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace posenc {

using Vec = xsimd::batch<float>;
using Vec64 = xsimd::batch<double>;
using VecBits64 = xsimd::batch<std::uint64_t>;  // the bits of a Vec64
using Mask = Vec::batch_bool_type;

inline constexpr std::size_t kLanes = Vec::size;
inline constexpr std::size_t kLanes64 = Vec64::size;
static_assert(kLanes == 2 * kLanes64);

// Whole vectors, at any address.

[[nodiscard]] inline Vec load(const float* from) noexcept { return Vec::load_unaligned(from); }
[[nodiscard]] inline Vec64 load(const double* from) noexcept { return Vec64::load_unaligned(from); }
inline void store(float* to, Vec v) noexcept { v.store_unaligned(to); }
inline void store(double* to, Vec64 v) noexcept { v.store_unaligned(to); }

// The first n < lanes elements; the other lanes are zero, and neither read nor written in memory.

[[nodiscard]] inline Vec load_tail(const float* from, std::size_t n) noexcept {
  std::array<float, kLanes> lanes{};
  std::copy_n(from, n, lanes.data());
  return load(lanes.data());
}
[[nodiscard]] inline Vec64 load_tail(const double* from, std::size_t n) noexcept {
  std::array<double, kLanes64> lanes{};
  std::copy_n(from, n, lanes.data());
  return load(lanes.data());
}
inline void store_tail(float* to, Vec v, std::size_t n) noexcept {
  std::array<float, kLanes> lanes;
  store(lanes.data(), v);
  std::copy_n(lanes.data(), n, to);
}
inline void store_tail(double* to, Vec64 v, std::size_t n) noexcept {
  std::array<double, kLanes64> lanes;
  store(lanes.data(), v);
  std::copy_n(lanes.data(), n, to);
}

/// A whole vector in memory, and the first n < kLanes elements of one; or two vectors that follow each other, and the
/// first 2 n elements of them.
struct WholeVec {
  [[nodiscard]] static Vec load(const float* from) noexcept { return posenc::load(from); }
  static void store(float* to, Vec v) noexcept { posenc::store(to, v); }
  [[nodiscard]] static std::pair<Vec, Vec> load_two(const float* from) noexcept {
    return {load(from), load(from + kLanes)};
  }
  static void store_two(float* to, Vec low, Vec high) noexcept {
    store(to, low);
    store(to + kLanes, high);
  }
};
struct TailVec {
  std::size_t n = 0;
  [[nodiscard]] Vec load(const float* from) const noexcept { return load_tail(from, n); }
  void store(float* to, Vec v) const noexcept { store_tail(to, v, n); }
  [[nodiscard]] std::pair<Vec, Vec> load_two(const float* from) const noexcept {
    return {load_tail(from, in_low()), load_tail(from + in_low(), 2 * n - in_low())};
  }
  void store_two(float* to, Vec low, Vec high) const noexcept {
    store_tail(to, low, in_low());
    store_tail(to + in_low(), high, 2 * n - in_low());
  }
  [[nodiscard]] std::size_t in_low() const noexcept { return std::min(2 * n, kLanes); }
};

/// Calls step(i, lanes) for each vector of n floats, where lanes (WholeVec or TailVec) reads and writes at index i.
template <class Step>
void for_each_vec(std::size_t n, Step step) noexcept {
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) step(i, WholeVec());
  if (i != n) step(i, TailVec{n - i});
}

/// to[i] = map(from[i], i, lanes) for n floats, where lanes.load(p) is what p has for the same lanes; to may be from.
template <class Map>
void map_each(float* to, const float* from, std::size_t n, Map map) noexcept {
  for_each_vec(n, [&](std::size_t i, auto lanes) { lanes.store(to + i, map(lanes.load(from + i), i, lanes)); });
}

/// a * b + c and c - a * b. A relaxed build may round once instead of twice, so the last bit may differ there.

[[nodiscard]] inline double mul_add(double a, double b, double c) noexcept { return a * b + c; }
[[nodiscard]] inline double neg_mul_add(double a, double b, double c) noexcept { return c - a * b; }
#if defined(__wasm_relaxed_simd__)
inline constexpr bool kRelaxed = true;
[[nodiscard]] inline Vec mul_add(Vec a, Vec b, Vec c) noexcept { return wasm_f32x4_relaxed_madd(a, b, c); }
[[nodiscard]] inline Vec neg_mul_add(Vec a, Vec b, Vec c) noexcept { return wasm_f32x4_relaxed_nmadd(a, b, c); }
[[nodiscard]] inline Vec64 mul_add(Vec64 a, Vec64 b, Vec64 c) noexcept { return wasm_f64x2_relaxed_madd(a, b, c); }
[[nodiscard]] inline Vec64 neg_mul_add(Vec64 a, Vec64 b, Vec64 c) noexcept { return wasm_f64x2_relaxed_nmadd(a, b, c); }
#else
inline constexpr bool kRelaxed = false;
[[nodiscard]] inline Vec mul_add(Vec a, Vec b, Vec c) noexcept { return a * b + c; }
[[nodiscard]] inline Vec neg_mul_add(Vec a, Vec b, Vec c) noexcept { return c - a * b; }
[[nodiscard]] inline Vec64 mul_add(Vec64 a, Vec64 b, Vec64 c) noexcept { return a * b + c; }
[[nodiscard]] inline Vec64 neg_mul_add(Vec64 a, Vec64 b, Vec64 c) noexcept { return c - a * b; }
#endif

/// Two vectors of doubles as one of floats, each lane rounded to nearest; `low` fills the first half.
[[nodiscard]] inline Vec narrow(Vec64 low, Vec64 high) noexcept {
#if defined(__wasm_simd128__)
  return wasm_i64x2_shuffle(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high), 0, 2);
#else
  using Doubles [[gnu::vector_size(sizeof(Vec64))]] = double;
  using Floats [[gnu::vector_size(sizeof(Vec64) / 2)]] = float;
  const auto half = [](Vec64 v) { return __builtin_convertvector(std::bit_cast<Doubles>(v), Floats); };
  return std::bit_cast<Vec>(std::array{half(low), half(high)});
#endif
}

/// Two vectors of doubles as one of floats, alternating: (a0 b0 a1 b1 ...).
[[nodiscard]] inline Vec narrow_alternating(Vec64 a, Vec64 b) noexcept {
#if defined(__wasm_simd128__)
  return wasm_i32x4_shuffle(wasm_f32x4_demote_f64x2_zero(a), wasm_f32x4_demote_f64x2_zero(b), 0, 4, 1, 5);
#else
  return xsimd::zip_lo(narrow(a, a), narrow(b, b));
#endif
}

/// The two halves of a vector of floats as doubles.
[[nodiscard]] inline std::pair<Vec64, Vec64> widen(Vec v) noexcept {
  std::array<float, kLanes> floats;
  std::array<double, kLanes> doubles;
  store(floats.data(), v);
  std::copy(floats.begin(), floats.end(), doubles.begin());
  return {load(doubles.data()), load(doubles.data() + kLanes64)};
}

/// The bit patterns of doubles, and back.
[[nodiscard]] inline VecBits64 to_bits(Vec64 v) noexcept { return xsimd::bitwise_cast<std::uint64_t>(v); }
[[nodiscard]] inline Vec64 from_bits(VecBits64 v) noexcept { return xsimd::bitwise_cast<double>(v); }

/// (a0 a1 ..., b0 b1 ...) to (a0 b0 a1 b1 ..., ...).
[[nodiscard]] inline std::pair<Vec, Vec> interleave(Vec a, Vec b) noexcept {
  return {xsimd::zip_lo(a, b), xsimd::zip_hi(a, b)};
}

/// (a0 b0 a1 b1 ...) to (b0 a0 b1 a1 ...).
[[nodiscard]] inline Vec swap_neighbours(Vec v) noexcept {
  return [=]<std::uint32_t... lane>(std::integer_sequence<std::uint32_t, lane...>) {
    return xsimd::swizzle(v, xsimd::batch_constant<std::uint32_t, Vec::arch_type, lane ^ 1 ...>());
  }(std::make_integer_sequence<std::uint32_t, kLanes>());
}

/// The larger of x and a number; NaN where x is NaN.
[[nodiscard]] inline Vec at_least(Vec x, Vec number) noexcept {
#if defined(__wasm_simd128__)
  return wasm_f32x4_pmax(x, number);
#else
  return xsimd::select(x < number, number, x);
#endif
}

/// e^x for x <= 88. |error| <= (1.2e-7 + 7.5e-8 |x|) e^x down to x = -68.9, which is 1e-7 at most for x <= 0; 0 from
/// x = -69 on, where e^x is below 2^-99; NaN stays.
///
/// Products of still smaller weights and values could be subnormal, and processors take a hundred times longer for
/// those.
[[nodiscard]] inline Vec exp(Vec x) noexcept {
  constexpr float kRound = 12582912.0F + 100;  // 1.5 * 2^23 + 100: adding it rounds to a whole number n, and the low
                                               // bits of the sum are the exponent field of 2^(n - 27)
  const Vec bits = at_least(x * Vec(1.44269504F), Vec(-100.0F));  // 2^bits = e^x; -100 has field 0, which makes 0
  const Vec shifted = bits + Vec(kRound);
  const Vec r = bits - (shifted - Vec(kRound));
  const Vec power = xsimd::bitwise_cast<float>(xsimd::bitwise_cast<std::int32_t>(shifted) << 23);
  // Minimax of 2^r for |r| <= 1/2 with its first coefficient held at 1, all times 2^27: off by 1.6e-8.
  constexpr float kScale = 0x1p27F;
  Vec e(1.5353351773e-4F * kScale);
  for (const float coefficient :
       {1.3398887822e-3F, 9.6184378490e-3F, 5.5503323674e-2F, 0.2402264774F, 0.6931471825F, 1.0F}) {
    e = mul_add(e, r, Vec(coefficient * kScale));
  }
  return e * power;
}

/// e^x for |x| <= 700. |error| <= 1e-11 e^x.
[[nodiscard]] inline Vec64 exp(Vec64 x) noexcept {
  constexpr double kRound = 0x1.8p52 + 1023;  // as for floats
  const Vec64 shifted = mul_add(x, Vec64(0x1.71547652b82fep0), Vec64(kRound));
  const Vec64 n = shifted - Vec64(kRound);
  const Vec64 power = from_bits(to_bits(shifted) << 52);
  // ln 2 in two parts, the first of 32 bits: n times it is exact.
  const Vec64 r = neg_mul_add(n, Vec64(0x1.a39ef35793c76p-33), neg_mul_add(n, Vec64(0x1.62e42feep-1), x));
  // Taylor: the next term is at most 7e-12 of the sum for |r| <= ln(2) / 2.
  Vec64 e(1.0 / 362880);
  for (const double coefficient :
       {1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1.0, 1.0}) {
    e = mul_add(e, r, Vec64(coefficient));
  }
  return e * power;
}

/// tanh x. |error| <= 2e-7 |tanh x|; NaN stays.
[[nodiscard]] inline Vec tanh(Vec x) noexcept {
  const Vec size = xsimd::abs(x);
  // Minimax of (tanh x / x - 1) / x^2 for |x| <= 1/2, where the quotient below would cancel: off by 1.5e-8.
  const Vec square = x * x;
  Vec p(1.724149193e-2F);
  for (const float coefficient : {-5.304549453e-2F, 0.1332587896F, -0.333331439F}) {
    p = mul_add(p, square, Vec(coefficient));
  }
  const Vec near_zero = mul_add(x * square, p, x);
  const Vec e = exp(Vec(-2.0F) * size);
  const Vec far = xsimd::copysign((Vec(1.0F) - e) / (Vec(1.0F) + e), x);
  return xsimd::select(size < Vec(0.5F), near_zero, far);
}

}  // namespace posenc
