#include "core/rotary/rotary_precision.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "cpp/numbers.hpp"
#include "reference/angles.hpp"

namespace posenc {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr float kUntouched = -7;

TEST(RoundTo, KeepsWhatATypeHolds) {
  for (const Dtype dtype : {Dtype::F64, Dtype::F32, Dtype::F16, Dtype::Bf16}) {
    for (const double x : {0.0, -0.0, 1.0, -2.0, 0.375, 128.0}) {
      EXPECT_EQ(round_to(dtype, x), x);
      EXPECT_EQ(std::signbit(round_to(dtype, x)), std::signbit(x));
    }
    EXPECT_EQ(round_to(dtype, -kInfinity), -kInfinity);
    EXPECT_TRUE(std::isnan(round_to(dtype, kNaN)));
  }
}

TEST(RoundTo, RoundsTiesToEven) {
  EXPECT_EQ(round_to(Dtype::F16, 2049), 2048);
  EXPECT_EQ(round_to(Dtype::F16, 2051), 2052);
  EXPECT_EQ(round_to(Dtype::F16, 2049.0000001), 2050);
  EXPECT_EQ(round_to(Dtype::Bf16, 257), 256);
  EXPECT_EQ(round_to(Dtype::Bf16, 259), 260);
  EXPECT_EQ(round_to(Dtype::Bf16, 8190), 8192);
  EXPECT_EQ(round_to(Dtype::Bf16, 8191), 8192);
  EXPECT_EQ(round_to(Dtype::F32, 16777217), 16777216);
  EXPECT_EQ(round_to(Dtype::F32, -16777219), -16777220);
}

TEST(RoundTo, HoldsSubnormalNumbersAndOverflows) {
  EXPECT_EQ(round_to(Dtype::F16, 0x1p-24), 0x1p-24);
  EXPECT_EQ(round_to(Dtype::F16, 0x1.8p-24), 0x1p-23);
  EXPECT_EQ(round_to(Dtype::F16, 0x1p-25), 0);
  EXPECT_EQ(round_to(Dtype::F16, 0x1.01p-25), 0x1p-24);
  EXPECT_EQ(round_to(Dtype::F16, 65519.99), 65504);
  EXPECT_EQ(round_to(Dtype::F16, 65520), kInfinity);
  EXPECT_EQ(round_to(Dtype::Bf16, 0x1p-133), 0x1p-133);
  EXPECT_EQ(round_to(Dtype::Bf16, 0x1p-135), 0);
  EXPECT_EQ(round_to(Dtype::Bf16, -3.4e38), -kInfinity);
  EXPECT_EQ(round_to(Dtype::Bf16, 3.38e38), 0x1.fcp127);
  EXPECT_EQ(round_to(Dtype::F32, 0x1p-1074), 0);
  EXPECT_EQ(round_to(Dtype::F32, 1e300), kInfinity);
}

TEST(RoundTo, AgreesWithTheFloatsOfTheMachine) {
  for (double x = 1e-46; x < 1e39; x *= 1.37) {
    EXPECT_EQ(round_to(Dtype::F32, x), static_cast<double>(static_cast<float>(x)));
  }
}

TEST(RoundTo, IsOffByTheUnitRoundoffAtMost) {
  for (const Dtype dtype : {Dtype::F32, Dtype::F16, Dtype::Bf16}) {
    Random random(1);
    double worst = 0;
    for (int i = 0; i < 100000; ++i) {
      const double x = random.uniform(-2, 2);
      worst = std::max(worst, std::abs(round_to(dtype, x) - x) / std::abs(x));
    }
    EXPECT_LE(worst, unit_roundoff(dtype));
    EXPECT_GT(worst, 0.98 * unit_roundoff(dtype));
  }
}

TEST(RoundedTables, RoundEveryStageAsNarrowCodeDoes) {
  // Floats stand for themselves, so the machine's own types are the oracle.
  const auto inv_freq = reference::frequencies(16);
  const std::vector<double> positions = {0, 1, 257, 2049, 131071, 16777217, -16777219};
  std::vector<float> cos(positions.size() * 8), sin(cos.size());
  const RotaryPrecision all{.position = Dtype::F32, .inv_freq = Dtype::F32, .angle = Dtype::F32, .table = Dtype::F32};
  ASSERT_EQ(rounded_cos_sin_tables(cos, sin, inv_freq, {.length = positions.size(), .values = positions}, 1.25, all),
            Status::Ok);
  for (std::size_t i = 0; i < cos.size(); ++i) {
    const float angle = static_cast<float>(positions[i / 8]) * static_cast<float>(inv_freq[i % 8]);
    EXPECT_LE(ulps(cos[i], 1.25 * std::cos(static_cast<double>(angle))), 0.51) << i;
    EXPECT_LE(ulps(sin[i], 1.25 * std::sin(static_cast<double>(angle))), 0.51) << i;
  }
}

TEST(RoundedTables, AreTheExactOnesWithoutRounding) {
  const auto inv_freq = reference::frequencies(10);
  std::vector<float> cos(50), sin(50), exact_cos(50), exact_sin(50);
  ASSERT_EQ(rounded_cos_sin_tables(cos, sin, inv_freq, {.length = 10, .start = 1e6}, 1, {}), Status::Ok);
  ASSERT_EQ(cos_sin_tables(exact_cos, exact_sin, inv_freq, {.length = 10, .start = 1e6}, 1), Status::Ok);
  EXPECT_EQ(cos, exact_cos);
  EXPECT_EQ(sin, exact_sin);
}

TEST(RoundedTables, HoldFewDigitsAndNaNPastTheLargestNumber) {
  std::vector<float> cos(2), sin(2);
  ASSERT_EQ(rounded_cos_sin_tables(cos, sin, std::vector{0.001}, {.length = 2, .start = 65519}, 1,
                                   {.position = Dtype::F16, .table = Dtype::Bf16}),
            Status::Ok);
  EXPECT_EQ(cos[0], round_to(Dtype::Bf16, std::cos(65.504)));
  EXPECT_EQ(sin[0], round_to(Dtype::Bf16, std::sin(65.504)));
  EXPECT_TRUE(std::isnan(cos[1]));
  EXPECT_TRUE(std::isnan(sin[1]));
}

TEST(RoundedTables, RefuseBadInputAndLeaveTheOutputAlone) {
  std::vector<float> cos(6, kUntouched), sin(6, kUntouched);
  const auto call = [&](const std::vector<double>& inv_freq, Positions positions, double scale) {
    return rounded_cos_sin_tables(cos, sin, inv_freq, positions, scale, {.angle = Dtype::F32});
  };
  EXPECT_EQ(call({}, {.length = 3}, 1), Status::BadShape);
  EXPECT_EQ(call({1, 0.1}, {.length = 4}, 1), Status::WrongLength);
  EXPECT_EQ(call({1, 0.1}, {.length = 3, .start = 0.5}, 1), Status::OutOfRange);
  EXPECT_EQ(call({1, kNaN}, {.length = 3}, 1), Status::NotFinite);
  EXPECT_EQ(call({1, 0.1}, {.length = 3}, kInfinity), Status::NotFinite);
  EXPECT_EQ(cos, std::vector<float>(6, kUntouched));
  EXPECT_EQ(sin, std::vector<float>(6, kUntouched));
}

}  // namespace
}  // namespace posenc
