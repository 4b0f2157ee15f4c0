#include "core/numeric/angle_table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/numeric/shape.hpp"
#include "cpp/numbers.hpp"
#include "reference/angles.hpp"

namespace posenc {
namespace {

constexpr double kUlps = 0.51;
constexpr float kUntouched = -7;

struct Tables {
  std::vector<float> cos, sin;
};

Tables tables(const std::vector<double>& inv_freq, Positions positions, double scale = 1) {
  Tables result{std::vector<float>(positions.length * inv_freq.size()),
                std::vector<float>(positions.length * inv_freq.size())};
  EXPECT_EQ(cos_sin_tables(result.cos, result.sin, inv_freq, positions, scale), Status::Ok);
  return result;
}

double position_of(Positions positions, std::size_t row) {
  return positions.values.empty() ? positions.start + static_cast<double>(row) : positions.values[row];
}

/// Checks every value; returns how many are not the nearest float.
std::size_t expect_exact(const std::vector<double>& inv_freq, Positions positions, double scale = 1) {
  const Tables table = tables(inv_freq, positions, scale);
  std::size_t not_nearest = 0;
  for (std::size_t row = 0; row < positions.length; ++row) {
    for (std::size_t p = 0; p < inv_freq.size(); ++p) {
      const double position = position_of(positions, row);
      const auto exact = reference::cos_sin(position, inv_freq[p]);
      const float cos = table.cos[row * inv_freq.size() + p], sin = table.sin[row * inv_freq.size() + p];
      EXPECT_LE(ulps(cos, scale * exact.cos), kUlps) << "cos " << position << " * " << inv_freq[p];
      EXPECT_LE(ulps(sin, scale * exact.sin), kUlps) << "sin " << position << " * " << inv_freq[p];
      not_nearest += (cos != static_cast<float>(scale * exact.cos)) + (sin != static_cast<float>(scale * exact.sin));
    }
  }
  return not_nearest;
}

TEST(CosSinTables, AreExactForEveryTailLength) {
  Random random(1);
  for (std::size_t pairs = 1; pairs <= 33; ++pairs) {
    expect_exact(reference::frequencies(2 * pairs), {.length = 7, .start = random.whole(-1e9, 1e9)});
  }
  expect_exact(reference::frequencies(2 * 67), {.length = 7, .start = random.whole(-1e9, 1e9)});
}

TEST(CosSinTables, AreExactForEveryLength) {
  const auto inv_freq = reference::frequencies(16);
  for (std::size_t length = 1; length <= 140; ++length) {
    expect_exact(inv_freq, {.length = length, .start = 5000});
    expect_exact(inv_freq, {.length = length, .start = -20});
  }
}

TEST(CosSinTables, AreTheNearestFloatsNearlyAlways) {
  std::size_t values = 0, not_nearest = 0;
  for (const double base : {100.0, 10000.0, 500000.0, 1e9}) {
    for (const double start : {0.0, -150.0, 131072.0, 1e6, 16777217.0, 2147483648.0 - 299, -2147483648.0}) {
      not_nearest += expect_exact(reference::frequencies(128, base), {.length = 300, .start = start});
      values += std::size_t{300} * 128;
    }
  }
  EXPECT_LE(not_nearest, values / 10000);
}

TEST(CosSinTables, AreExactWhereAResultNearlyVanishes) {
  // One radian per token comes close to multiples of pi at these positions.
  for (const double position : {22.0, 355.0, 104348.0, 1146408.0, 411557987.0, 1068966896.0}) {
    for (const double sign : {1.0, -1.0}) {
      expect_exact({1.0, 0.5, 2.0}, {.length = 41, .start = sign * position - 20});
      expect_exact({1.0, 0.5, 2.0}, {.length = 1, .start = sign * position});
    }
  }
  // Frequencies that a multiple of pi / 2 was divided by a position to get.
  Random random(2);
  for (int i = 0; i < 300; ++i) {
    const double position = random.whole(100, kMaxPosition - 20);
    std::vector<double> inv_freq(5);
    for (double& radians : inv_freq) radians = random.whole(1, position) * (std::numbers::pi / 2) / position;
    expect_exact(inv_freq, {.length = 40, .start = position - 20});
  }
}

TEST(CosSinTables, AreExactForSlowTinyAndVanishingFrequencies) {
  const std::vector<double> inv_freq = {1e-3,   1e-6,      1e-9, 1e-12, 1e-15, 1e-30, 1e-100,
                                        1e-310, 0x1p-1074, 0.0,  -1e-4, -1e-9, -1.0};
  for (const double start : {0.0, 1.0, -40.0, 1e6, 2147483600.0, -2147483648.0}) {
    expect_exact(inv_freq, {.length = 48, .start = start});
  }
  const Tables still = tables({0.0}, {.length = 3, .start = 5});
  EXPECT_EQ(still.cos, (std::vector<float>{1, 1, 1}));
  EXPECT_EQ(still.sin, (std::vector<float>{0, 0, 0}));
}

TEST(CosSinTables, AreExactForFastFrequencies) {
  expect_exact({4294967296.0, -4294967295.5, 1e9, 12345.678, 6.283185307179586, 3.141592653589793},
               {.length = 100, .start = 1e9});
}

TEST(CosSinTables, TakePositionsInAnyOrder) {
  const std::vector<double> values = {5,  6,  7,          8,           -2, -1, 0,  1,  2, 2,    2,         100,
                                      99, 98, 2147483647, -2147483648, 17, 18, 19, 20, 0, -0.0, 1068966896};
  expect_exact(reference::frequencies(24), {.length = values.size(), .values = values});
  Random random(3);
  std::vector<double> scattered(300);
  for (double& value : scattered) value = random.whole(-kMaxPosition, kMaxPosition);
  expect_exact(reference::frequencies(24), {.length = scattered.size(), .values = scattered});
}

TEST(CosSinTables, RoundOnceAfterTheScale) {
  for (const double scale : {1.1902380714238083, -2.5, 1e-20, 3e30}) {
    EXPECT_EQ(expect_exact(reference::frequencies(32), {.length = 100, .start = 1000}, scale), 0U);
  }
}

TEST(CosSinTables, AreAsExactInTheLastOfAMillionRowsAsInTheFirst) {
  const std::vector<double> inv_freq = {1.0, 0.01};
  const std::size_t length = 1000000;
  const Tables all = tables(inv_freq, {.length = length});
  for (const std::size_t row : {length - 1, length - 2, length - 17, length / 2, std::size_t{16}, std::size_t{0}}) {
    const Tables one = tables(inv_freq, {.length = 1, .start = static_cast<double>(row)});
    for (std::size_t p = 0; p < 2; ++p) {
      EXPECT_EQ(all.cos[row * 2 + p], one.cos[p]) << row;
      EXPECT_EQ(all.sin[row * 2 + p], one.sin[p]) << row;
      EXPECT_LE(ulps(one.sin[p], reference::cos_sin(static_cast<double>(row), inv_freq[p]).sin), kUlps) << row;
    }
  }
}

TEST(CosSinTables, HoldTheValuesOfFiftyDigitArithmetic) {
  const std::array cosines = {0.9943839639136522,  0.7587058162145803, -0.2989156526886726, -0.848648504952711,
                              0.12638511337525768, 0.5418035311448418, 0.44266315668489115, -0.7464134745461495};
  const std::array sines = {0.10583256734754364, 0.6514334075269456,  -0.9542795358686599, 0.5289571958500313,
                            -0.9919812513939582, -0.8405051657419961, 0.8966879779018828,  0.66548247536351};
  const Tables table = tables(reference::frequencies(16), {.length = 1, .start = 16777217});
  for (std::size_t p = 0; p < cosines.size(); ++p) {
    EXPECT_NEAR(table.cos[p], cosines[p], 1e-7) << p;
    EXPECT_NEAR(table.sin[p], sines[p], 1e-7) << p;
  }
  const Tables first = tables({1.0}, {.length = 1, .start = 131071});
  EXPECT_NEAR(first.cos[0], -0.8179834993879491, 1e-7);
  EXPECT_NEAR(first.sin[0], -0.5752416837547893, 1e-7);
}

TEST(SinCosRows, PlaceEveryColumnOfEveryWidth) {
  const Positions positions{.length = 40, .start = 990};
  for (const AngleLayout layout : {AngleLayout::SinCosInterleaved, AngleLayout::SinThenCos}) {
    for (std::size_t dim = 1; dim <= 67; ++dim) {
      for (const std::size_t pairs : {dim / 2 + dim % 2, dim / 2, dim / 4}) {
        auto inv_freq = reference::frequencies(dim);
        inv_freq.resize(pairs);
        std::vector<float> out(positions.length * dim, kUntouched);
        ASSERT_EQ(sin_cos_rows(out, inv_freq, positions, dim, layout), Status::Ok);
        for (std::size_t i = 0; i < out.size(); ++i) {
          const std::size_t column = i % dim, columns = std::min(2 * pairs, dim);
          if (column >= columns) {
            EXPECT_EQ(out[i], 0);
            continue;
          }
          const bool interleaved = layout == AngleLayout::SinCosInterleaved;
          const std::size_t p = interleaved ? column / 2 : column % pairs;
          const bool sine = interleaved ? column % 2 == 0 : column < pairs;
          const auto exact = reference::cos_sin(990 + static_cast<double>(i / dim), inv_freq[p]);
          EXPECT_LE(ulps(out[i], sine ? exact.sin : exact.cos), kUlps) << dim << ", " << pairs << ", " << i;
        }
      }
    }
  }
}

TEST(SinCosRows, RefuseBadInputAndLeaveTheOutputAlone) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> inv_freq = {1.0, 0.1};
  std::vector<float> out(12, kUntouched);
  const auto call = [&](std::span<const double> frequencies, Positions positions, std::size_t dim) {
    return sin_cos_rows(out, frequencies, positions, dim, AngleLayout::SinCosInterleaved);
  };
  EXPECT_EQ(call(inv_freq, {.length = 3}, 0), Status::BadShape);
  EXPECT_EQ(call(inv_freq, {.length = 6}, 2), Status::BadShape);  // two frequencies, one pair of columns
  EXPECT_EQ(call(inv_freq, {.length = 2}, 4), Status::WrongLength);
  EXPECT_EQ(call(inv_freq, {.length = kTooLarge / 2}, 4), Status::WrongLength);
  EXPECT_EQ(call(inv_freq, {.length = (kTooLarge / 4 + 1) + 3}, 4), Status::WrongLength);  // wraps to 12
  for (const double start : {0.5, nan, infinity, 2147483649.0, -2147483649.0, 2147483646.5, 2147483647.0}) {
    EXPECT_EQ(call(inv_freq, {.length = 3, .start = start}, 4), Status::OutOfRange) << start;
  }
  for (const double bad : {0.5, nan, infinity, 2147483649.0}) {
    const std::vector<double> values = {1, bad, 3};
    EXPECT_EQ(call(inv_freq, {.length = 3, .values = values}, 4), Status::OutOfRange) << bad;
  }
  const std::vector<double> two = {1, 2};
  EXPECT_EQ(call(inv_freq, {.length = 3, .values = two}, 4), Status::WrongLength);
  for (const double bad : {nan, infinity}) {
    EXPECT_EQ(call(std::vector{1.0, bad}, {.length = 3}, 4), Status::NotFinite);
  }
  EXPECT_EQ(call(std::vector{1.0, -4294967297.0}, {.length = 3}, 4), Status::OutOfRange);
  EXPECT_EQ(out, std::vector<float>(12, kUntouched));
}

TEST(CosSinTables, RefuseBadInputAndLeaveTheOutputAlone) {
  const std::vector<double> inv_freq = {1.0, 0.1};
  std::vector<float> cos(6, kUntouched), sin(6, kUntouched), short_sin(5, kUntouched);
  EXPECT_EQ(cos_sin_tables(cos, sin, {}, {.length = 3}, 1), Status::BadShape);
  EXPECT_EQ(cos_sin_tables({}, {}, inv_freq, {.length = 0}, 1), Status::BadShape);
  EXPECT_EQ(cos_sin_tables(cos, short_sin, inv_freq, {.length = 3}, 1), Status::WrongLength);
  EXPECT_EQ(cos_sin_tables(cos, sin, inv_freq, {.length = 4}, 1), Status::WrongLength);
  EXPECT_EQ(cos_sin_tables(cos, sin, inv_freq, {.length = kTooLarge / 2 + 4}, 1), Status::WrongLength);  // wraps to 6
  EXPECT_EQ(cos_sin_tables(cos, sin, inv_freq, {.length = 3, .start = 0.25}, 1), Status::OutOfRange);
  EXPECT_EQ(cos_sin_tables(cos, sin, inv_freq, {.length = 3}, std::numeric_limits<double>::infinity()),
            Status::NotFinite);
  EXPECT_EQ(cos, std::vector<float>(6, kUntouched));
  EXPECT_EQ(sin, std::vector<float>(6, kUntouched));
  EXPECT_EQ(short_sin, std::vector<float>(5, kUntouched));
}

}  // namespace
}  // namespace posenc
