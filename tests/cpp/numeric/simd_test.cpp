#include "core/numeric/simd.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

namespace posenc {
namespace {

TEST(Simd, TailsReadAndWriteOnlyTheirElements) {
  for (std::size_t n = 0; n < kLanes; ++n) {
    const std::vector<float> in(n, 2.0F);  // one element more would be a heap overflow
    std::vector<float> out(n);
    store_tail(out.data(), load_tail(in.data(), n), n);
    EXPECT_EQ(out, in);
    std::vector<float> lanes(kLanes, -1.0F);
    store(lanes.data(), load_tail(in.data(), n));
    for (std::size_t i = 0; i < kLanes; ++i) EXPECT_EQ(lanes[i], i < n ? 2.0F : 0.0F);
  }
  for (std::size_t n = 0; n < kLanes64; ++n) {
    const std::vector<double> in(n, 2.0);
    std::vector<double> out(n);
    store_tail(out.data(), load_tail(in.data(), n), n);
    EXPECT_EQ(out, in);
  }
}

TEST(Simd, NarrowRoundsToNearestInOrder) {
  std::vector<double> doubles(kLanes);
  for (std::size_t i = 0; i < kLanes; ++i) doubles[i] = std::numbers::pi * static_cast<double>(i + 1);
  std::vector<float> floats(kLanes);
  store(floats.data(), narrow(load(doubles.data()), load(doubles.data() + kLanes64)));
  for (std::size_t i = 0; i < kLanes; ++i) EXPECT_EQ(floats[i], static_cast<float>(doubles[i]));

  store(floats.data(), narrow_alternating(load(doubles.data()), load(doubles.data() + kLanes64)));
  for (std::size_t i = 0; i < kLanes64; ++i) {
    EXPECT_EQ(floats[2 * i], static_cast<float>(doubles[i]));
    EXPECT_EQ(floats[2 * i + 1], static_cast<float>(doubles[kLanes64 + i]));
  }
}

TEST(Simd, WidenIsExactInOrder) {
  std::vector<float> floats(kLanes);
  std::iota(floats.begin(), floats.end(), 0.1F);
  const auto [low, high] = widen(load(floats.data()));
  std::vector<double> doubles(kLanes);
  store(doubles.data(), low);
  store(doubles.data() + kLanes64, high);
  for (std::size_t i = 0; i < kLanes; ++i) EXPECT_EQ(doubles[i], static_cast<double>(floats[i]));
}

TEST(Simd, InterleavesAndSwapsNeighbours) {
  std::vector<float> a(kLanes), b(kLanes), mixed(2 * kLanes), swapped(kLanes);
  std::iota(a.begin(), a.end(), 0.0F);
  std::iota(b.begin(), b.end(), 100.0F);
  const auto [low, high] = interleave(load(a.data()), load(b.data()));
  store(mixed.data(), low);
  store(mixed.data() + kLanes, high);
  for (std::size_t i = 0; i < kLanes; ++i) {
    EXPECT_EQ(mixed[2 * i], a[i]);
    EXPECT_EQ(mixed[2 * i + 1], b[i]);
  }
  store(swapped.data(), swap_neighbours(low));
  for (std::size_t i = 0; i < kLanes; ++i) EXPECT_EQ(swapped[i], mixed[i ^ 1]);
}

TEST(Simd, BitsOfDoublesSurviveTheRoundTrip) {
  std::vector<double> out(kLanes64);
  store(out.data(), from_bits(to_bits(Vec64(-0.1)) ^ to_bits(Vec64(-0.0))));
  for (const double value : out) EXPECT_EQ(value, 0.1);
}

/// One lane of a function of a vector that holds x in every lane.
template <class Function>
float lane_of(Function function, float x) {
  std::vector<float> lanes(kLanes);
  store(lanes.data(), function(Vec(x)));
  for (const float lane : lanes) EXPECT_EQ(std::isnan(lane), std::isnan(lanes[0]));
  return lanes[0];
}
float exp_lane(float x) {
  return lane_of([](Vec v) { return exp(v); }, x);
}
float tanh_lane(float x) {
  return lane_of([](Vec v) { return tanh(v); }, x);
}

TEST(Simd, ExpIsWithinItsBound) {
  for (float x = -68.9F; x < 88.0F; x += 0.00173F) {
    const double exact = std::exp(double{x}), bound = (1.2e-7 + 7.5e-8 * std::abs(x)) * exact;
    ASSERT_NEAR(exp_lane(x), exact, x > 0 ? bound : std::min(bound, 1e-7)) << x;
  }
  for (float x = 1e-30F; x < 1.0F; x *= 1.37F) {
    ASSERT_NEAR(exp_lane(x), std::exp(double{x}), 1.8e-7 * std::exp(double{x})) << x;
    ASSERT_NEAR(exp_lane(-x), std::exp(-double{x}), 1e-7) << x;
  }
  EXPECT_EQ(exp_lane(0.0F), 1.0F);
}

TEST(Simd, ExpOfVeryNegativeNumbersIsZero) {
  for (const float x : {-69.0F, -88.0F, -100.0F, -1e30F, -std::numeric_limits<float>::infinity()}) {
    EXPECT_EQ(exp_lane(x), 0.0F) << x;
  }
}

TEST(Simd, ExpOfDoublesIsWithinItsBound) {
  std::vector<double> lanes(kLanes64);
  for (double x = -700; x <= 700; x += 0.0173) {
    store(lanes.data(), exp(Vec64(x)));
    for (const double lane : lanes) ASSERT_NEAR(lane, std::exp(x), 1e-11 * std::exp(x)) << x;
  }
  store(lanes.data(), exp(Vec64(0.0)));
  EXPECT_EQ(lanes, std::vector<double>(kLanes64, 1.0));
}

TEST(Simd, TanhIsWithinItsBound) {
  for (float x = 1e-30F; x < 200.0F; x *= 1.0007F) {
    const double exact = std::tanh(double{x});
    ASSERT_NEAR(tanh_lane(x), exact, 2e-7 * exact) << x;
    ASSERT_EQ(tanh_lane(-x), -tanh_lane(x)) << x;
  }
  EXPECT_EQ(tanh_lane(0.0F), 0.0F);
  EXPECT_EQ(tanh_lane(std::numeric_limits<float>::infinity()), 1.0F);
}

TEST(Simd, ExpAndTanhKeepNaN) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float x : {nan, -nan}) {
    EXPECT_TRUE(std::isnan(exp_lane(x)));
    EXPECT_TRUE(std::isnan(tanh_lane(x)));
  }
}

}  // namespace
}  // namespace posenc
