#pragma once

#include <cmath>
#include <numbers>

namespace posenc {

/// 2^x for x <= 1000, 0 below -1100 and for -infinity; NaN stays. Exact for whole x, and within 2^-52 2^x otherwise,
/// above the subnormal numbers.
///
/// std::exp, std::exp2 and std::pow would add tables of two to six kilobytes, which do not compress, to the WebAssembly
/// file.
[[nodiscard]] inline double exp2(double x) noexcept {
  if (!(x >= -1100)) return std::isnan(x) ? x : 0;
  const double whole = std::round(x);
  const double r = (x - whole) * std::numbers::ln2;
  double e = 1;  // the series of e^r, |r| <= ln(2) / 2; the first term left out is below 2^-62
  for (int k = 14; k >= 1; --k) e = 1 + r * e / k;
  return std::ldexp(e, static_cast<int>(whole));
}

}  // namespace posenc
