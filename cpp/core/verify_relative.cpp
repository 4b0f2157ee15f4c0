#include "verify_relative.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "check.hpp"

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

/// Cosine and sine of position * inv_freq as a table of that precision holds them; NaN once a stage has overflowed.
CosSin table_entry(double position, double inv_freq, const RotaryScore& options) noexcept {
  const RotaryPrecision& precision = options.precision;
  const double p = round_to(precision.position, position);
  const double frequency = round_to(precision.inv_freq, inv_freq);
  const double angle = round_to(precision.angle, p * frequency);
  if (!std::isfinite(p) || !std::isfinite(frequency) || !std::isfinite(angle)) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan};
  }
  // A whole position stays whole in every type, so an angle held in F64 is the exact product.
  const CosSin exact = precision.angle == Dtype::F64 ? cos_sin(p, frequency) : cos_sin(1.0, angle);
  return {round_to(precision.table, options.attention_factor * exact.cos),
          round_to(precision.table, options.attention_factor * exact.sin)};
}

double score_at(double query_position, double key_position, std::span<const float> query, std::span<const float> key,
                std::span<const double> inv_freq, const RotaryScore& options) noexcept {
  const std::size_t pairs = inv_freq.size();
  double score = 0;
  for (std::size_t p = 0; p < pairs; ++p) {
    const std::size_t a = options.pairing == Pairing::Half ? p : 2 * p;
    const std::size_t b = options.pairing == Pairing::Half ? p + pairs : 2 * p + 1;
    const auto turned = [a, b](std::span<const float> x, CosSin t) {
      const double xa = x[a], xb = x[b];
      return std::array{xa * t.cos - xb * t.sin, xa * t.sin + xb * t.cos};
    };
    const auto q = turned(query, table_entry(query_position, inv_freq[p], options));
    const auto k = turned(key, table_entry(key_position, inv_freq[p], options));
    score += q[0] * k[0] + q[1] * k[1];
  }
  for (std::size_t c = options.rotary_dim; c < options.head_dim; ++c) {
    score += static_cast<double>(query[c]) * static_cast<double>(key[c]);
  }
  return score;
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

Status verify_relative(std::span<double> score, std::span<double> residual, std::span<const float> query,
                       std::span<const float> key, std::span<const double> inv_freq, double distance,
                       std::span<const double> shifts, RotaryScore options) noexcept {
  if (options.rotary_dim % 2 != 0) return Status::OddDimension;
  if (options.rotary_dim == 0 || options.rotary_dim > options.head_dim || shifts.empty()) return Status::BadShape;
  if (query.size() != options.head_dim || key.size() != options.head_dim) return Status::WrongLength;
  if (inv_freq.size() != options.rotary_dim / 2) return Status::WrongLength;
  if (score.size() != shifts.size() || residual.size() != shifts.size()) return Status::WrongLength;
  if (const Status status = check_frequencies(inv_freq); status != Status::Ok) return status;
  if (!std::isfinite(options.attention_factor)) return Status::NotFinite;
  if (!is_whole(distance, kMaxPosition) || !all_whole(shifts, kMaxPosition)) return Status::OutOfRange;
  for (const double shift : shifts) {
    if (std::abs(shift + distance) > kMaxPosition) return Status::OutOfRange;
  }

  RotaryScore exact_options = options;
  exact_options.precision = {};
  const double exact = score_at(0, distance, query, key, inv_freq, exact_options);
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    score[i] = score_at(shifts[i], shifts[i] + distance, query, key, inv_freq, options);
    residual[i] = std::abs(score[i] - exact);
  }
  return Status::Ok;
}

}  // namespace posenc
