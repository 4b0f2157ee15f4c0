#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace posenc {

/// Which of (x / low)^steps and (high / low)^t is greater: whether x lies above or below step t of `steps` steps that
/// lead from low to high by equal factors, as logarithmic buckets of distances do.
///
/// x, low, high   at least 1, low < high
///
/// Accuracy   exact: products of whole numbers are compared, not logarithms, which may be off where x lies on a step.
///            Products of more than 4096 bits are cut to their leading ones. Where the two are equal they are shorter:
///            x / low and high / low are then powers of one fraction, whose numerator to the 32nd exceeds 32 bits.
[[nodiscard]] std::strong_ordering compare_log_steps(std::uint32_t x, std::uint32_t low, std::uint32_t high,
                                                     std::size_t steps, std::size_t t) noexcept;

/// The number of steps from low to x, rounded down: the greatest t with (high / low)^t <= (x / low)^steps.
///
/// x, low, high   1 <= low <= x, low < high
/// steps          1 ... 2^20
[[nodiscard]] std::size_t floor_log_steps(std::uint32_t x, std::uint32_t low, std::uint32_t high,
                                          std::size_t steps) noexcept;

/// The same rounded up: the least t with (high / low)^t >= (x / low)^steps.
[[nodiscard]] std::size_t ceil_log_steps(std::uint32_t x, std::uint32_t low, std::uint32_t high,
                                         std::size_t steps) noexcept;

}  // namespace posenc
