#include "core/rotary/rotary_precision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posenc {
namespace {

/// A binary floating-point type: bits of the significand, exponent of the smallest normal number, largest number.
struct Format {
  int digits;
  int min_exponent;
  double max;
};

constexpr Format format_of(Dtype dtype) noexcept {
  switch (dtype) {
    case Dtype::F16:
      return {11, -14, 65504};
    case Dtype::Bf16:
      return {8, -126, 0x1.fep127};
    case Dtype::F32:
      return {24, -126, 0x1.fffffep127};
    case Dtype::F64:
      break;
  }
  return {53, -1022, std::numeric_limits<double>::max()};
}

}  // namespace

double round_to(Dtype dtype, double x) noexcept {
  if (dtype == Dtype::F64 || x == 0 || !std::isfinite(x)) return x;
  const Format format = format_of(dtype);
  const int exponent = std::max(std::ilogb(x), format.min_exponent);
  const int ulp = exponent - (format.digits - 1);
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(x, -ulp)), ulp);
  return std::abs(rounded) > format.max ? std::copysign(std::numeric_limits<double>::infinity(), x) : rounded;
}

double unit_roundoff(Dtype dtype) noexcept { return std::ldexp(1.0, -format_of(dtype).digits); }

CosSin rounded_cos_sin(double position, double inv_freq, double scale, const RotaryPrecision& precision) noexcept {
  const double p = round_to(precision.position, position);
  const double frequency = round_to(precision.inv_freq, inv_freq);
  const double angle = round_to(precision.angle, p * frequency);
  if (!std::isfinite(p) || !std::isfinite(frequency) || !std::isfinite(angle)) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan};
  }
  // A whole position stays whole in every type, so an angle held in F64 is the exact product.
  const CosSin exact = precision.angle == Dtype::F64 ? cos_sin(p, frequency) : cos_sin(1.0, angle);
  return {round_to(precision.table, scale * exact.cos), round_to(precision.table, scale * exact.sin)};
}

Status rounded_cos_sin_tables(std::span<float> cos, std::span<float> sin, std::span<const double> inv_freq,
                              Positions positions, double scale, const RotaryPrecision& precision) noexcept {
  // This checks the arguments, too, and is all there is to do without rounding.
  const Status status = cos_sin_tables(cos, sin, inv_freq, positions, scale);
  if (status != Status::Ok || precision == RotaryPrecision{}) return status;

  for (std::size_t row = 0, i = 0; row < positions.length; ++row) {
    for (const double frequency : inv_freq) {
      const CosSin entry = rounded_cos_sin(positions.at(row), frequency, scale, precision);
      cos[i] = static_cast<float>(entry.cos);
      sin[i] = static_cast<float>(entry.sin);
      ++i;
    }
  }
  return Status::Ok;
}

}  // namespace posenc
