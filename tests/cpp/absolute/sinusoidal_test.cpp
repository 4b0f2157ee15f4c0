#include "core/absolute/sinusoidal.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "core/analysis/similarity.hpp"
#include "cpp/numbers.hpp"
#include "reference/angles.hpp"

namespace posenc {
namespace {

constexpr auto kPaper = AngleLayout::SinCosInterleaved;

std::vector<float> encode(Positions positions, std::size_t dim, const std::vector<double>& inv_freq,
                          AngleLayout order = kPaper) {
  std::vector<float> out(positions.length * dim);
  EXPECT_EQ(sinusoidal(out, inv_freq, positions, dim, order), Status::Ok);
  return out;
}

std::vector<float> encode(Positions positions, std::size_t dim) {
  return encode(positions, dim, reference::frequencies(dim));
}

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * double{b[i]};
  return sum;
}

TEST(Sinusoidal, StartsWithZerosAndOnes) {
  EXPECT_EQ(encode({.length = 1}, 6), (std::vector<float>{0, 1, 0, 1, 0, 1}));
}

TEST(Sinusoidal, HoldsThePublishedFirstRow) {
  const auto row = encode({.length = 1, .start = 1}, 512);
  EXPECT_EQ(row[0], static_cast<float>(0.8414709848078965));
  EXPECT_EQ(row[1], static_cast<float>(0.5403023058681398));
  EXPECT_EQ(row[2], static_cast<float>(0.8218561900175316));
  EXPECT_FLOAT_EQ(row[3], 0.56969501F);
}

TEST(Sinusoidal, EndsAnOddWidthInALoneSine) {
  const auto row = encode({.length = 1, .start = 1}, 5);
  const std::array expected = {0.8414709848, 0.5403023059, 0.0251162229, 0.9996845379, 0.0006309573};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(row[i], expected[i], 6e-8) << i;
}

TEST(Sinusoidal, EndsAnOddWidthInAZeroColumnWithoutItsFrequency) {
  // tensor2tensor with 5 channels: frequencies 1 and 1 / base, two sines, two cosines, one zero
  const auto row = encode({.length = 1, .start = 3}, 5, {1.0, 1e-4}, AngleLayout::SinThenCos);
  const std::array expected = {std::sin(3.0), std::sin(3e-4), std::cos(3.0), std::cos(3e-4), 0.0};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_LE(ulps(row[i], expected[i]), 0.51) << i;
}

TEST(Sinusoidal, OrdersColumnsOnRequest) {
  const auto inv_freq = reference::frequencies(6);
  const auto mixed = encode({.length = 1, .start = 9}, 6, inv_freq);
  const auto apart = encode({.length = 1, .start = 9}, 6, inv_freq, AngleLayout::SinThenCos);
  for (std::size_t p = 0; p < 3; ++p) {
    EXPECT_EQ(apart[p], mixed[2 * p]);
    EXPECT_EQ(apart[3 + p], mixed[2 * p + 1]);
  }
}

TEST(Sinusoidal, PutsCosinesFirstOnRequest) {
  for (const std::size_t dim : {1, 2, 5, 6, 40, 41}) {
    const auto inv_freq = reference::frequencies(dim);
    const Positions positions{.length = 100, .start = -3};
    const auto sin_first = encode(positions, dim, inv_freq, AngleLayout::SinThenCos);
    const auto cos_first = encode(positions, dim, inv_freq, AngleLayout::CosThenSin);
    const std::size_t sines = inv_freq.size(), cosines = dim - sines;
    for (std::size_t row = 0; row < positions.length; ++row) {
      const std::size_t at = row * dim;
      for (std::size_t p = 0; p < sines; ++p) EXPECT_EQ(cos_first[at + cosines + p], sin_first[at + p]);
      for (std::size_t p = 0; p < cosines; ++p) EXPECT_EQ(cos_first[at + p], sin_first[at + sines + p]);
    }
  }
}

TEST(Sinusoidal, HasTheSameLengthAtEveryPosition) {
  const std::size_t dim = 312;
  for (const double position : {0.0, 3.0, 79.0, 1e6, -2147483648.0}) {
    const auto row = encode({.length = 1, .start = position}, dim);
    EXPECT_NEAR(std::sqrt(dot(row, row)), std::sqrt(156.0), 1e-6);
  }
}

TEST(Sinusoidal, DotProductDependsOnTheDistanceOnly) {
  const auto at = [](double position) { return encode({.length = 1, .start = position}, 512); };
  EXPECT_NEAR(dot(at(2), at(5)), 211.7494434276926, 1e-4);
  EXPECT_NEAR(dot(at(10), at(13)), 211.7494434276926, 1e-4);
  EXPECT_NEAR(dot(at(2147483642), at(2147483645)), 211.7494434276926, 1e-4);
}

TEST(Sinusoidal, IsTurnedByOneMatrixFromAnyPosition) {
  const std::size_t dim = 16;
  const double k = 7;
  const auto inv_freq = reference::frequencies(dim);
  for (const double position : {0.0, 50.0, 123456.0}) {
    const auto from = encode({.length = 1, .start = position}, dim);
    const auto to = encode({.length = 1, .start = position + k}, dim);
    for (std::size_t p = 0; p < dim / 2; ++p) {
      const double c = std::cos(k * inv_freq[p]), s = std::sin(k * inv_freq[p]);
      EXPECT_NEAR(to[2 * p], c * from[2 * p] + s * from[2 * p + 1], 2e-7);
      EXPECT_NEAR(to[2 * p + 1], -s * from[2 * p] + c * from[2 * p + 1], 2e-7);
    }
  }
}

TEST(Sinusoidal, RefusesTheWrongNumberOfFrequencies) {
  std::vector<float> out(5, -7.0F);
  const auto call = [&](std::size_t pairs, std::size_t dim) {
    return sinusoidal(out, std::vector<double>(pairs, 0.5), {.length = 1}, dim, kPaper);
  };
  EXPECT_EQ(call(1, 5), Status::BadShape);
  EXPECT_EQ(call(4, 5), Status::BadShape);
  EXPECT_EQ(call(0, 0), Status::BadShape);
  EXPECT_EQ(call(2, 4), Status::WrongLength);
  EXPECT_EQ(out, std::vector<float>(5, -7.0F));
  EXPECT_EQ(call(2, 5), Status::Ok);
  EXPECT_EQ(call(3, 5), Status::Ok);
}

}  // namespace
}  // namespace posenc
