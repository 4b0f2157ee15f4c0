#include "core/numeric/log_steps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <compare>
#include <cstdint>

namespace posenc {
namespace {

constexpr auto kLess = std::strong_ordering::less;
constexpr auto kEqual = std::strong_ordering::equal;
constexpr auto kGreater = std::strong_ordering::greater;

TEST(CompareLogSteps, KnowsATieAndItsNeighbours) {
  EXPECT_EQ(compare_log_steps(40, 32, 50, 32, 16), kEqual);  // 40^2 = 32 * 50
  EXPECT_EQ(compare_log_steps(39, 32, 50, 32, 16), kLess);
  EXPECT_EQ(compare_log_steps(41, 32, 50, 32, 16), kGreater);
  EXPECT_EQ(compare_log_steps(16, 8, 128, 8, 2), kEqual);
  EXPECT_EQ(compare_log_steps(64, 16, 128, 15, 10), kEqual);  // 4^15 = 8^10
  EXPECT_EQ(compare_log_steps(1U << 31, 1, 2, 1, 31), kEqual);
  EXPECT_EQ(compare_log_steps(5, 5, 7, 9, 0), kEqual);
  EXPECT_EQ(compare_log_steps(7, 5, 7, 9, 9), kEqual);
}

TEST(CompareLogSteps, TellsProductsApartThatDifferByOne) {
  EXPECT_EQ(compare_log_steps(239, 169, 338, 2, 1), kLess);        // 239^2 + 1 = 169 * 338
  EXPECT_EQ(compare_log_steps(32768, 32513, 33025, 2, 1), kLess);  // 2^30 + 1 = 32513 * 33025
  EXPECT_EQ(compare_log_steps(1000000001, 1000000000, 1000000002, 2, 1), kGreater);
  EXPECT_EQ(compare_log_steps(4294967294, 4294967293, 4294967295, 2, 1), kGreater);
}

TEST(CompareLogSteps, CutsLongProductsWithoutLosingTheirOrder) {
  // 1.5^1000 lies between 2^584 and 2^585, and 1.5^20001 between 2^11699 and 2^11700: log2(1.5) = 0.5849625...
  for (const std::uint32_t scale : {2U, 2000000U, 1000000002U}) {
    const std::uint32_t x = scale / 2 * 3;
    EXPECT_EQ(compare_log_steps(x, scale, 2 * scale, 1000, 584), kGreater);
    EXPECT_EQ(compare_log_steps(x, scale, 2 * scale, 1000, 585), kLess);
    EXPECT_EQ(compare_log_steps(x, scale, 2 * scale, 20001, 11699), kGreater);
    EXPECT_EQ(compare_log_steps(x, scale, 2 * scale, 20001, 11700), kLess);
  }
}

TEST(FloorLogSteps, RoundsDownFromEveryTie) {
  for (std::uint32_t steps = 1; steps <= 30; ++steps) {
    for (std::uint32_t t = 0; t <= steps; ++t) {
      EXPECT_EQ(floor_log_steps(1U << t, 1, 1U << steps, steps), t) << steps;
    }
  }
  EXPECT_EQ(floor_log_steps(40, 32, 50, 32), 16U);
  EXPECT_EQ(floor_log_steps(239, 169, 338, 2), 0U);
  EXPECT_EQ(floor_log_steps(240, 169, 338, 2), 1U);
  EXPECT_EQ(floor_log_steps(1000000001, 1000000000, 1000000002, 2), 1U);
}

TEST(CeilLogSteps, RoundsUpFromEveryTie) {
  for (std::uint32_t steps = 1; steps <= 30; ++steps) {
    for (std::uint32_t t = 0; t <= steps; ++t) {
      EXPECT_EQ(ceil_log_steps(1U << t, 1, 1U << steps, steps), t) << steps;
    }
  }
  EXPECT_EQ(ceil_log_steps(32, 16, 128, 15), 5U);
  EXPECT_EQ(ceil_log_steps(64, 16, 128, 15), 10U);
  EXPECT_EQ(ceil_log_steps(65, 16, 128, 15), 11U);
  EXPECT_EQ(ceil_log_steps(239, 169, 338, 2), 1U);
  EXPECT_EQ(ceil_log_steps(240, 169, 338, 2), 2U);
  EXPECT_EQ(ceil_log_steps(64, 2, 4, 3), 15U);  // past high
}

TEST(FloorLogSteps, IsTheGreatestStepThatIsNotAbove) {
  for (const std::uint32_t low : {1U, 3U, 8U, 33U}) {
    for (const std::uint32_t high : {low + 1, low + 7, 4 * low, 1000 * low}) {
      for (const std::size_t steps : {1U, 2U, 8U, 17U, 64U}) {
        for (std::uint32_t x = low; x < high; x += 1 + high / 97) {
          const std::size_t t = floor_log_steps(x, low, high, steps);
          EXPECT_NE(compare_log_steps(x, low, high, steps, t), kLess) << x << ", " << low << ", " << high;
          EXPECT_EQ(compare_log_steps(x, low, high, steps, t + 1), kLess) << x << ", " << low << ", " << high;
          const bool on_step = compare_log_steps(x, low, high, steps, t) == kEqual;
          EXPECT_EQ(ceil_log_steps(x, low, high, steps), on_step ? t : t + 1) << x << ", " << low << ", " << high;
        }
      }
    }
  }
}

}  // namespace
}  // namespace posenc
