#include "core/numeric/phase.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "cpp/numbers.hpp"
#include "reference/angles.hpp"

namespace posenc {
namespace {

// The error of the core, 1 ulp of double, and that of the oracle.
constexpr double kRelativeError = 0x1p-50;

// Numerators of the convergents of pi: at these positions a frequency of one radian is nearly a multiple of pi.
constexpr std::array kNearMultiplesOfPi = {3.0,        22.0,        333.0,       355.0,       103993.0,    104348.0,
                                           208341.0,   312689.0,    833719.0,    1146408.0,   4272943.0,   5419351.0,
                                           80143857.0, 165707065.0, 245850922.0, 411557987.0, 1068966896.0};

void expect_near(CosSin got, double position, double radians) {
  const auto exact = reference::cos_sin(position, radians);
  EXPECT_NEAR(got.cos, exact.cos, kRelativeError * std::abs(exact.cos)) << position << " * " << radians;
  EXPECT_NEAR(got.sin, exact.sin, kRelativeError * std::abs(exact.sin)) << position << " * " << radians;
}

TEST(Phase, IsExactAtQuarterAndEighthTurns) {
  const auto at = [](std::uint64_t eighths) { return cos_sin(TurnFraction{eighths << 61, 0}); };
  const std::array<double, 8> cosines = {1,  std::numbers::sqrt2 / 2,  0, -std::numbers::sqrt2 / 2,
                                         -1, -std::numbers::sqrt2 / 2, 0, std::numbers::sqrt2 / 2};
  for (std::uint64_t i = 0; i < 8; ++i) {
    const double tolerance = i % 2 == 0 ? 0 : 0x1p-53;
    EXPECT_NEAR(at(i).cos, cosines[i], tolerance) << i;
    EXPECT_NEAR(at(i).sin, cosines[(i + 6) % 8], tolerance) << i;
  }
}

TEST(Phase, KeepsRelativeAccuracyNextToZero) {
  const double two_pi = 2 * std::numbers::pi;
  EXPECT_DOUBLE_EQ(cos_sin(TurnFraction{0, 1}).sin, two_pi * 0x1p-128);
  EXPECT_DOUBLE_EQ(cos_sin(TurnFraction{~std::uint64_t{0}, ~std::uint64_t{0}}).sin, -two_pi * 0x1p-128);
  EXPECT_DOUBLE_EQ(cos_sin(TurnFraction{std::uint64_t{1} << 62, std::uint64_t{1} << 63}).cos, -two_pi * 0x1p-65);
}

TEST(Phase, MultiplesOfATurnFractionAddUpExactly) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const TurnFraction turns = turns_per_token(random.uniform(0, 10));
    const auto a = static_cast<std::int64_t>(random.whole(-9e15, 9e15));
    const auto b = static_cast<std::int64_t>(random.whole(-4e9, 4e9));
    const TurnFraction x = a * turns, y = b * turns, sum = (a + b) * turns;
    const std::uint64_t low = x.low + y.low;
    EXPECT_EQ(low, sum.low);
    EXPECT_EQ(x.high + y.high + (low < x.low), sum.high);
  }
}

TEST(Phase, OfMinusTheFrequencyIsTheMirrorImage) {
  for (const double radians : {1.0, 1e-5, 12345.678}) {
    const CosSin forward = cos_sin(7.0, radians), backward = cos_sin(7.0, -radians), other = cos_sin(-7.0, radians);
    EXPECT_EQ(forward.cos, backward.cos);
    EXPECT_EQ(forward.sin, -backward.sin);
    EXPECT_EQ(forward.cos, other.cos);
    EXPECT_EQ(forward.sin, -other.sin);
  }
}

TEST(Phase, MatchesTheExactProductAtEveryPositionAndFrequency) {
  Random random(2);
  for (int i = 0; i < 20000; ++i) {
    const double position = random.whole(-1, 1) * std::floor(std::exp2(random.uniform(0, 31)));
    const double radians = std::exp2(random.uniform(-40, 10)) * (i % 2 == 0 ? 1 : -1);
    expect_near(cos_sin(position, radians), position, radians);
  }
}

TEST(Phase, MatchesTheExactProductBetweenWholeNumbers) {
  Random random(3);
  for (int i = 0; i < 20000; ++i) {
    const double x = random.whole(-1, 1) * std::exp2(random.uniform(-200, 31));
    const double radians = std::exp2(random.uniform(-40, 10));
    const auto exact = reference::cos_sin(x, radians);
    const CosSin got = cos_sin_of_real(x, radians);
    EXPECT_NEAR(got.cos, exact.cos, kRelativeError * std::abs(exact.cos)) << x << " * " << radians;
    EXPECT_NEAR(got.sin, exact.sin, kRelativeError * std::abs(exact.sin)) << x << " * " << radians;
  }
}

TEST(Phase, IsOffBy2ToTheMinus96AtMostNextToTheDoublesNearestToMultiplesOfPi) {
  for (int quarters = 1; quarters < 100; ++quarters) {
    const double x = quarters * (std::numbers::pi / 2);
    const auto exact = reference::cos_sin(x, 1);
    const CosSin got = cos_sin_of_real(x, 1);
    EXPECT_NEAR(got.cos, exact.cos, 0x1p-96 + 0x1p-52 * std::abs(exact.cos)) << quarters;
    EXPECT_NEAR(got.sin, exact.sin, 0x1p-96 + 0x1p-52 * std::abs(exact.sin)) << quarters;
  }
}

TEST(Phase, MatchesTheExactProductNearMultiplesOfPi) {
  for (const double position : kNearMultiplesOfPi) {
    for (const double sign : {1.0, -1.0}) expect_near(cos_sin(sign * position, 1), sign * position, 1);
  }
  Random random(3);
  for (int i = 0; i < 20000; ++i) {  // position * radians within half an ulp of a multiple of pi / 2
    const double position = random.whole(1, kMaxPosition);
    const double radians = random.whole(1, position) * (std::numbers::pi / 2) / position;
    const CosSin got = cos_sin(position, radians);
    const auto exact = reference::cos_sin(position, radians);
    constexpr double kOracleError = 0x1p-75;  // it subtracts numbers near 2^-23 here
    EXPECT_NEAR(got.cos, exact.cos, kRelativeError * std::abs(exact.cos) + kOracleError)
        << position << " * " << radians;
    EXPECT_NEAR(got.sin, exact.sin, kRelativeError * std::abs(exact.sin) + kOracleError)
        << position << " * " << radians;
  }
}

TEST(Phase, TakesTinyAndHugeFrequencies) {
  EXPECT_EQ(cos_sin(kMaxPosition, 0.0).sin, 0);
  EXPECT_EQ(cos_sin(3.0, 0x1p-1074).sin, 3 * 0x1p-1074);
  EXPECT_DOUBLE_EQ(cos_sin(kMaxPosition, 1e-30).sin, kMaxPosition * 1e-30);
  for (const double radians : {4294967296.0, 0x1p62, 9.0e18}) expect_near(cos_sin(1.0, radians), 1, radians);
}

TEST(AngleBlock, MatchesTheExactProductForEveryNumberOfPairs) {
  Random random(4);
  for (std::size_t pairs = 1; pairs <= AngleBlock::kPairs; ++pairs) {
    std::vector<double> inv_freq(pairs);
    for (double& radians : inv_freq) radians = random.whole(-1, 1) * std::exp2(random.uniform(-50, 12));
    const AngleBlock block(inv_freq);
    std::array<double, AngleBlock::kPairs> cos, sin;
    for (const double largest : {1.0, 100.0, 1e6, kMaxPosition, 0x1p53}) {
      const double position = random.whole(-largest, largest);
      block.cos_sin(position, cos, sin);
      for (std::size_t p = 0; p < pairs; ++p) {
        const CosSin exact = cos_sin(position, inv_freq[p]);
        const bool small = std::abs(position * inv_freq[p]) < std::numbers::pi / 4;
        EXPECT_NEAR(cos[p], exact.cos, 0x1p-51) << position << " * " << inv_freq[p];
        EXPECT_NEAR(sin[p], exact.sin, 0x1p-51 * (small ? std::abs(exact.sin) : 1)) << position << " * " << inv_freq[p];
      }
    }
    for (const double position : {kMaxPosition, -kMaxPosition}) {
      block.cos_sin(position, cos, sin);
      for (std::size_t p = 0; p < pairs; ++p) {
        EXPECT_NEAR(cos[p], cos_sin(position, inv_freq[p]).cos, 0x1p-51) << position << " * " << inv_freq[p];
        EXPECT_NEAR(sin[p], cos_sin(position, inv_freq[p]).sin, 0x1p-51) << position << " * " << inv_freq[p];
      }
    }
  }
}

TEST(AngleBlock, KeepsRelativeAccuracyWhereCosinesAndSinesVanish) {
  std::vector<double> inv_freq = {1, 0.1, 1e-30, 0};
  std::array<double, AngleBlock::kPairs> cos, sin;
  const auto expect_relative = [&](double position) {
    AngleBlock(inv_freq).relative_cos_sin(position, cos, sin);
    for (std::size_t p = 0; p < inv_freq.size(); ++p) {
      const auto exact = reference::cos_sin(position, inv_freq[p]);
      EXPECT_NEAR(cos[p], exact.cos, 0x1p-31 * std::abs(exact.cos)) << position << " * " << inv_freq[p];
      EXPECT_NEAR(sin[p], exact.sin, 0x1p-31 * std::abs(exact.sin)) << position << " * " << inv_freq[p];
    }
  };
  for (const double position : kNearMultiplesOfPi) expect_relative(position);
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    const double position = random.whole(1, kMaxPosition);
    inv_freq[0] = random.whole(1, position) * (std::numbers::pi / 2) / position;
    expect_relative(position);
  }
}

}  // namespace
}  // namespace posenc
