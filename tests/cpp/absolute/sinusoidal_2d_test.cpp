#include "core/absolute/sinusoidal_2d.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/absolute/sinusoidal.hpp"
#include "cpp/numbers.hpp"
#include "reference/angles.hpp"

namespace posenc {
namespace {

constexpr auto kInterleaved = AngleLayout::SinCosInterleaved;

TEST(Sinusoidal2d, IsTheEncodingOfEitherCoordinateSideBySide) {
  const std::size_t dim = 20;  // of one coordinate
  const auto inv_freq = reference::frequencies(dim);
  const std::vector<double> first = {0, 0, 5, -7, 2147483648.0}, second = {3, 4, 4, 1e6, -2147483648.0};
  for (const auto layout : {kInterleaved, AngleLayout::SinThenCos, AngleLayout::CosThenSin}) {
    std::vector<float> out(first.size() * 2 * dim), one(first.size() * dim), other(first.size() * dim);
    ASSERT_EQ(sinusoidal_2d(out, inv_freq, first, second, layout), Status::Ok);
    ASSERT_EQ(sinusoidal(one, inv_freq, {.length = first.size(), .values = first}, dim, layout), Status::Ok);
    ASSERT_EQ(sinusoidal(other, inv_freq, {.length = second.size(), .values = second}, dim, layout), Status::Ok);
    for (std::size_t row = 0; row < first.size(); ++row) {
      for (std::size_t column = 0; column < dim; ++column) {
        // Either may be 0.51 ulp off.
        EXPECT_FLOAT_EQ(out[2 * row * dim + column], one[row * dim + column]);
        EXPECT_FLOAT_EQ(out[(2 * row + 1) * dim + column], other[row * dim + column]);
      }
    }
  }
}

TEST(Sinusoidal2d, MatchesTheFormulaBetweenWholeNumbers) {
  const auto inv_freq = reference::frequencies(16);
  Random random(1);
  std::vector<double> first, second;
  for (int i = 0; i < 500; ++i) {
    first.push_back(random.uniform(-7, 7));
    second.push_back(random.whole(-1, 1) * std::exp2(random.uniform(-60, 31)));
  }
  std::vector<float> out(first.size() * 32);
  ASSERT_EQ(sinusoidal_2d(out, inv_freq, first, second, kInterleaved), Status::Ok);
  for (std::size_t row = 0; row < first.size(); ++row) {
    for (std::size_t half = 0; half < 2; ++half) {
      const double x = half == 0 ? first[row] : second[row];
      for (std::size_t p = 0; p < inv_freq.size(); ++p) {
        const auto exact = reference::cos_sin(x, inv_freq[p]);
        EXPECT_LE(ulps(out[row * 32 + half * 16 + 2 * p], exact.sin), 0.51) << x << ", " << p;
        EXPECT_LE(ulps(out[row * 32 + half * 16 + 2 * p + 1], exact.cos), 0.51) << x << ", " << p;
      }
    }
  }
}

TEST(Sinusoidal2d, GivesEveryCellOfAGridWhatItGivesAPointAlone) {
  const auto inv_freq = reference::frequencies(6);
  for (const std::size_t width : {1, 2, 5}) {
    std::vector<double> rows, columns;
    for (std::size_t cell = 0; cell < 20; ++cell) {
      rows.push_back(0.3 * static_cast<double>(cell / width));
      // The last rows of the grid are narrower, as those of padded images are.
      columns.push_back(cell < 11 ? 0.7 * static_cast<double>(cell % width) : 0.9 * static_cast<double>(cell % width));
    }
    std::vector<float> grid(rows.size() * 12), point(12);
    ASSERT_EQ(sinusoidal_2d(grid, inv_freq, rows, columns, kInterleaved), Status::Ok);
    for (std::size_t cell = 0; cell < rows.size(); ++cell) {
      ASSERT_EQ(sinusoidal_2d(point, inv_freq, std::span(&rows[cell], 1), std::span(&columns[cell], 1), kInterleaved),
                Status::Ok);
      for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(grid[cell * 12 + i], point[i]) << width << ", " << cell;
    }
  }
}

TEST(Sinusoidal2d, RefusesWhatItCannotCompute) {
  std::vector<float> out(8, -7.0F);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto call = [&](std::vector<double> inv_freq, std::vector<double> first, std::vector<double> second) {
    return sinusoidal_2d(out, inv_freq, first, second, kInterleaved);
  };
  EXPECT_EQ(call({}, {0}, {0}), Status::BadShape);
  EXPECT_EQ(call({1}, {}, {}), Status::BadShape);
  EXPECT_EQ(call({1}, {0}, {0}), Status::WrongLength);
  EXPECT_EQ(call({1}, {0, 1}, {0}), Status::WrongLength);
  EXPECT_EQ(call({1}, {0, nan}, {0, 0}), Status::OutOfRange);
  EXPECT_EQ(call({1}, {0, 0}, {0, 2147483649.0}), Status::OutOfRange);
  EXPECT_EQ(call({nan}, {0, 0}, {0, 0}), Status::NotFinite);
  EXPECT_EQ(call({1e10}, {0, 0}, {0, 0}), Status::OutOfRange);
  EXPECT_EQ(out, std::vector<float>(8, -7.0F));
  EXPECT_EQ(call({1}, {0, 1}, {0.5, 2}), Status::Ok);
}

}  // namespace
}  // namespace posenc
