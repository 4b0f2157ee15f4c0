#pragma once

#include <cstddef>
#include <utility>

#include "core/numeric/simd.hpp"

namespace posenc {

/// kLanes elements as doubles.
[[nodiscard]] inline std::pair<Vec64, Vec64> load_doubles(const float* from) noexcept { return widen(load(from)); }
[[nodiscard]] inline std::pair<Vec64, Vec64> load_doubles(const double* from) noexcept {
  return {load(from), load(from + kLanes64)};
}

/// Sum of a[i] * b[i] in double, n elements of float or double.
template <class Real>
[[nodiscard]] double dot(const Real* a, const Real* b, std::size_t n) noexcept {
  Vec64 sum_low(0.0), sum_high(0.0);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const auto [a_low, a_high] = load_doubles(a + i);
    const auto [b_low, b_high] = load_doubles(b + i);
    sum_low = mul_add(a_low, b_low, sum_low);
    sum_high = mul_add(a_high, b_high, sum_high);
  }
  double sum = xsimd::reduce_add(sum_low + sum_high);
  for (; i < n; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

}  // namespace posenc
