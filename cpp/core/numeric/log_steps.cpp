#include "core/numeric/log_steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace posenc {
namespace {

/// A product of whole numbers of 32 bits: all of it up to 4096 bits, then the leading 4096.
class WideProduct {
 public:
  void multiply(std::uint32_t factor, std::size_t times) noexcept {
    for (std::size_t n = 0; n < times; ++n) multiply(factor);
  }

  [[nodiscard]] std::strong_ordering compare(const WideProduct& other) const noexcept {
    const auto longer = dropped_ + used_ <=> other.dropped_ + other.used_;
    if (longer != std::strong_ordering::equal) return longer;
    const std::size_t common = std::min(used_, other.used_);
    for (std::size_t n = 1; n <= common; ++n) {
      const auto greater = limbs_[used_ - n] <=> other.limbs_[other.used_ - n];
      if (greater != std::strong_ordering::equal) return greater;
    }
    return std::strong_ordering::equal;
  }

 private:
  void multiply(std::uint32_t factor) noexcept {
    std::uint64_t carry = 0;
    for (std::size_t n = 0; n < used_; ++n) {
      carry += std::uint64_t{limbs_[n]} * factor;
      limbs_[n] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry == 0) return;
    if (used_ == limbs_.size()) {
      std::shift_left(limbs_.begin(), limbs_.end(), 1);
      --used_;
      ++dropped_;
    }
    limbs_[used_++] = static_cast<std::uint32_t>(carry);
  }

  std::array<std::uint32_t, 128> limbs_{1};  // the least first
  std::size_t used_ = 1;
  std::size_t dropped_ = 0;
};

/// The number of steps from low to x in floating point.
struct StepCount {
  double value = 0;

  StepCount(std::uint32_t x, std::uint32_t low, std::uint32_t high, std::size_t steps) noexcept {
    const auto log_ratio = [low](std::uint32_t to) { return std::log1p((static_cast<double>(to) - low) / low); };
    value = log_ratio(x) / log_ratio(high) * static_cast<double>(steps);
  }

  /// The logarithms and the quotients are off by a few units of the last place.
  [[nodiscard]] bool may_be_whole() const noexcept { return std::abs(value - std::round(value)) <= 1e-14 * value; }
  [[nodiscard]] std::size_t nearest() const noexcept { return static_cast<std::size_t>(std::round(value)); }
};

}  // namespace

std::strong_ordering compare_log_steps(std::uint32_t x, std::uint32_t low, std::uint32_t high, std::size_t steps,
                                       std::size_t t) noexcept {
  // Both sides times low^(steps + t), without the factors that they share.
  const std::size_t common = std::gcd(steps, t);
  const std::size_t x_power = steps / common;
  const std::size_t high_power = t / common;
  const std::size_t shared = std::min(x_power, high_power);
  WideProduct left;
  left.multiply(x, x_power);
  left.multiply(low, high_power - shared);
  WideProduct right;
  right.multiply(high, high_power);
  right.multiply(low, x_power - shared);
  return left.compare(right);
}

std::size_t floor_log_steps(std::uint32_t x, std::uint32_t low, std::uint32_t high, std::size_t steps) noexcept {
  const StepCount count(x, low, high, steps);
  if (!count.may_be_whole()) return static_cast<std::size_t>(count.value);
  const std::size_t t = count.nearest();
  return compare_log_steps(x, low, high, steps, t) < 0 ? t - 1 : t;
}

std::size_t ceil_log_steps(std::uint32_t x, std::uint32_t low, std::uint32_t high, std::size_t steps) noexcept {
  const StepCount count(x, low, high, steps);
  if (!count.may_be_whole()) return static_cast<std::size_t>(count.value) + 1;
  const std::size_t t = count.nearest();
  return compare_log_steps(x, low, high, steps, t) > 0 ? t + 1 : t;
}

}  // namespace posenc
