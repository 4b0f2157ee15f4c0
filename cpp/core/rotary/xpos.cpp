#include "core/rotary/xpos.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "core/numeric/check.hpp"
#include "core/numeric/phase.hpp"
#include "core/numeric/shape.hpp"
#include "core/numeric/simd.hpp"

namespace posenc {
namespace {

/// Where e^x and e^-x are floats with all their digits: |x| up to this.
constexpr double kGreatestLogScale = 87;

Status check_scale(std::span<const double> log_scale, Positions positions, double center) noexcept {
  double steepest = 0, farthest = 0;
  for (const double log : log_scale) {
    if (!std::isfinite(log)) return Status::NotFinite;
    steepest = std::max(steepest, std::abs(log));
  }
  if (!std::isfinite(center)) return Status::NotFinite;
  for (std::size_t row = 0; row < positions.length; ++row) {
    farthest = std::max(farthest, std::abs(positions.at(row) - center));
  }
  return steepest * farthest <= kGreatestLogScale ? Status::Ok : Status::OutOfRange;
}

}  // namespace

Status xpos_table(std::span<float> cos, std::span<float> sin, std::span<const double> inv_freq,
                  std::span<const double> log_scale, Positions positions, double center,
                  double attention_factor) noexcept {
  const std::size_t pairs = inv_freq.size();
  if (pairs == 0) return Status::BadShape;
  if (product({positions.length, pairs}) != cos.size() || cos.size() != sin.size()) return Status::WrongLength;
  if (log_scale.size() != pairs) return Status::WrongLength;
  if (const Status status = check_positions(positions); status != Status::Ok) return status;
  if (const Status status = check_frequencies(inv_freq); status != Status::Ok) return status;
  if (const Status status = check_scale(log_scale, positions, center); status != Status::Ok) return status;
  if (!std::isfinite(attention_factor)) return Status::NotFinite;

  std::array<double, AngleBlock::kPairs> block_cos, block_sin, scale, block_log{};
  for (std::size_t first = 0; first < pairs; first += AngleBlock::kPairs) {
    const std::size_t count = std::min(AngleBlock::kPairs, pairs - first);
    const AngleBlock angles(inv_freq.subspan(first, count));
    std::copy_n(log_scale.begin() + static_cast<std::ptrdiff_t>(first), count, block_log.begin());
    for (std::size_t row = 0; row < positions.length; ++row) {
      const double position = positions.at(row);
      angles.relative_cos_sin(position, block_cos, block_sin);
      const Vec64 distance(position - center);
      for (std::size_t p = 0; p < count; p += kLanes64) {
        store(&scale[p], Vec64(attention_factor) * exp(distance * load(&block_log[p])));
      }
      const std::size_t to = row * pairs + first;
      for (std::size_t p = 0; p < count; ++p) {
        cos[to + p] = static_cast<float>(block_cos[p] * scale[p]);
        sin[to + p] = static_cast<float>(block_sin[p] * scale[p]);
      }
    }
  }
  return Status::Ok;
}

}  // namespace posenc
