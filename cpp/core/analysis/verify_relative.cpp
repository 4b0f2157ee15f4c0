#include "core/analysis/verify_relative.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "core/numeric/check.hpp"

namespace posenc {
namespace {

/// The two channels that turn together.
struct PairChannels {
  std::size_t a, b;

  PairChannels(std::size_t pair, const RotaryScore& options) noexcept
      : a(options.pairing == Pairing::Half ? pair : 2 * pair),
        b(options.pairing == Pairing::Half ? pair + options.rotary_dim / 2 : 2 * pair + 1) {}
};

double score_at(double query_position, double key_position, std::span<const float> query, std::span<const float> key,
                std::span<const double> inv_freq, const RotaryScore& options) noexcept {
  double score = 0;
  for (std::size_t p = 0; p < inv_freq.size(); ++p) {
    const PairChannels pair(p, options);
    const auto turned = [&](std::span<const float> x, double position) {
      const CosSin t = rounded_cos_sin(position, inv_freq[p], options.attention_factor, options.precision);
      const double xa = x[pair.a], xb = x[pair.b];
      return std::array{xa * t.cos - xb * t.sin, xa * t.sin + xb * t.cos};
    };
    const auto q = turned(query, query_position);
    const auto k = turned(key, key_position);
    score += q[0] * k[0] + q[1] * k[1];
  }
  for (std::size_t c = options.rotary_dim; c < options.head_dim; ++c) {
    score += static_cast<double>(query[c]) * static_cast<double>(key[c]);
  }
  return score;
}

}  // namespace

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

double rotary_rounding(std::span<const float> query, std::span<const float> key, const RotaryScore& options) noexcept {
  // A turn by cosine and sine off by e each is off by sqrt(2) e of the length of the pair: the rounding of the table,
  // 2^-51 of its entries, and two roundings in the turn.
  const double factor = std::abs(options.attention_factor);
  const double turn = std::numbers::sqrt2 * factor * (unit_roundoff(options.precision.table) + 0x1p-50);
  double error = 0, size = 0;
  for (std::size_t p = 0; p < options.rotary_dim / 2; ++p) {
    const PairChannels pair(p, options);
    const auto length = [&](std::span<const float> x) {
      const double xa = x[pair.a], xb = x[pair.b];
      return std::sqrt(xa * xa + xb * xb);
    };
    const double lengths = length(query) * length(key);
    error += lengths * turn * (2 * factor + turn);
    size += lengths * (factor + turn) * (factor + turn);
  }
  for (std::size_t c = options.rotary_dim; c < options.head_dim; ++c) {
    size += std::abs(static_cast<double>(query[c]) * static_cast<double>(key[c]));
  }
  const double sum = static_cast<double>(options.head_dim + 2) * 0x1p-52 * size;
  return 2 * (error + sum);
}

}  // namespace posenc
