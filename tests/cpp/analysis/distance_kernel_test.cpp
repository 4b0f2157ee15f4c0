#include "core/analysis/distance_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/numeric/shape.hpp"
#include "cpp/numbers.hpp"
#include "reference/distance_kernel.hpp"

namespace posenc {
namespace {

const double kNaN = std::numeric_limits<double>::quiet_NaN();
const double kInfinity = std::numeric_limits<double>::infinity();

std::vector<double> kernel(const std::vector<double>& inv_freq, const std::vector<double>& distances) {
  std::vector<double> out(distances.size());
  EXPECT_EQ(distance_kernel(out, inv_freq, distances), Status::Ok);
  return out;
}

using Peaks = std::vector<std::pair<double, double>>;

Peaks aliases(const std::vector<double>& inv_freq, double from, double to, double above, std::size_t limit) {
  std::vector<double> distance(limit), similarity(limit), scratch(kernel_scratch(inv_freq.size()));
  std::size_t found = 0;
  EXPECT_EQ(find_aliases(distance, similarity, found, inv_freq, from, to, above, scratch), Status::Ok);
  Peaks peaks;
  for (std::size_t i = 0; i < found; ++i) peaks.emplace_back(distance[i], similarity[i]);
  return peaks;
}

TEST(DistanceKernel, HoldsTheValuesOfTheSpecification) {
  const auto k = kernel(reference::frequencies(512), {0, 1, 3, 10, 100, 1000, 10000, 30000, 60000, 100000});
  const std::array expected = {1.0,
                               0.9730550696381366,
                               0.8271462633894238,
                               0.6788661129830603,
                               0.4373055025337379,
                               0.17567033142384073,
                               -0.06441562448486589,
                               -0.019658913508548814,
                               0.03939185803797528,
                               -0.012826608245744001};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(k[i], expected[i], 1e-12) << i;
}

TEST(DistanceKernel, RisesForTheFirstTimeFrom43To44) {
  const auto inv_freq = reference::frequencies(512);
  std::vector<double> distances;
  for (double n = 0; n <= 44; ++n) distances.push_back(n);
  const auto k = kernel(inv_freq, distances);
  for (std::size_t n = 1; n <= 43; ++n) EXPECT_LT(k[n], k[n - 1]) << n;
  EXPECT_GT(k[44], k[43]);
}

TEST(DistanceKernel, MatchesReferenceForEveryNumberOfPairsAndAnyDistance) {
  Random random(1);
  for (const std::size_t dim : {2, 4, 6, 10, 126, 128, 130, 312, 514}) {
    const auto inv_freq = reference::frequencies(dim);
    std::vector<double> distances;
    for (int i = 0; i < 70; ++i) {
      distances.push_back(random.whole(-1, 1) * std::floor(std::exp2(random.uniform(0, 53))));
    }
    const auto k = kernel(inv_freq, distances);
    for (std::size_t i = 0; i < distances.size(); ++i) {
      EXPECT_NEAR(k[i], reference::kernel(distances[i], inv_freq), 0x1p-51 + 0x1p-53) << distances[i];
    }
  }
}

TEST(DistanceKernel, IsEven) {
  const auto inv_freq = reference::frequencies(64);
  EXPECT_EQ(kernel(inv_freq, {1, 50, 123456789}), kernel(inv_freq, {-1, -50, -123456789}));
}

TEST(DecayBound, HoldsTheValuesOfTheSpecification) {
  const std::vector<double> distances = {0, 1, 10, 50, 100, 256, 65536};
  std::vector<double> bound(distances.size());
  const auto inv_freq = reference::frequencies(128);
  ASSERT_EQ(decay_bound(bound, inv_freq, distances), Status::Ok);
  EXPECT_EQ(bound[0], 32.5);
  EXPECT_NEAR(bound[1], 31.538166142658085, 1e-11);
  EXPECT_NEAR(bound[3], 12.629452488319242, 1e-11);
  EXPECT_NEAR(bound[6], 4.8918163233213035, 1e-11);
  for (std::size_t i = 0; i < distances.size(); ++i) {
    EXPECT_NEAR(bound[i], reference::decay_bound(distances[i], inv_freq), 1e-12 * bound[i]) << distances[i];
  }
}

TEST(DecayBound, Rises115TimesIn256Steps) {
  std::vector<double> distances, bound(257);
  for (double n = 0; n <= 256; ++n) distances.push_back(n);
  ASSERT_EQ(decay_bound(bound, reference::frequencies(128), distances), Status::Ok);
  int rises = 0;
  for (std::size_t n = 1; n < bound.size(); ++n) rises += bound[n] > bound[n - 1];
  EXPECT_EQ(rises, 115);
}

TEST(FindAliases, MatchesABruteForceSearch) {
  for (const std::size_t dim : {2, 4, 6, 8, 20, 130}) {
    const auto inv_freq = reference::frequencies(dim);
    for (const auto& [from, to] : {std::pair(0.0, 1000.0), {1.0, 1.0}, {700.0, 3000.0}, {1e9, 1e9 + 600}}) {
      auto expected = reference::peaks(inv_freq, from, to);
      std::erase_if(expected, [](const auto& peak) { return peak.second <= 0.25; });
      expected.resize(std::min<std::size_t>(expected.size(), 8));
      const Peaks found = aliases(inv_freq, from, to, 0.25, 8);
      ASSERT_EQ(found.size(), expected.size()) << dim << ", " << from;
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].first, expected[i].first) << dim << ", " << from;
        EXPECT_NEAR(found[i].second, expected[i].second, 0x1p-50);
      }
    }
  }
}

TEST(FindAliases, HoldsThePeaksOfTheSpecification) {
  const auto expect = [](const Peaks& found, const Peaks& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(found[i].first, expected[i].first);
      EXPECT_NEAR(found[i].second, expected[i].second, 1e-12);
    }
  };
  expect(aliases(reference::frequencies(4), 1, 5000, 0, 5), {{1885, 0.999507017514911},
                                                             {2507, 0.9989956755470317},
                                                             {622, 0.9986899442584121},
                                                             {4392, 0.9983154825426915},
                                                             {3770, 0.9980290419921475}});
  expect(aliases(reference::frequencies(8), 10, 20000, 0, 5), {{6283, 0.9956765691722603},
                                                               {12566, 0.9828528437713138},
                                                               {18850, 0.9755027851148428},
                                                               {6277, 0.9520034052359776},
                                                               {11938, 0.9519041584737846}});
  expect(aliases(reference::frequencies(128), 1000, 10000, 0, 5), {{1030, 0.3212046081359927},
                                                                   {1189, 0.29845861312397404},
                                                                   {1016, 0.2970262629176085},
                                                                   {1174, 0.2825694836400465},
                                                                   {1375, 0.27863638516959865}});
}

TEST(FindAliases, SeesThatEightChannelsNearlyReturn) {
  const auto found = aliases(reference::frequencies(8), 1, 200000, 0.99, 1);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].first, 169646);
  EXPECT_NEAR(found[0].second, 0.9999986301, 5e-11);
}

TEST(FindAliases, SeesThat312ChannelsStayFarFromReturning) {
  const auto inv_freq = reference::frequencies(312);
  const auto near = aliases(inv_freq, 1000, 30000, 0.2, 1);
  ASSERT_EQ(near.size(), 1U);
  EXPECT_EQ(near[0].first, 1019);
  EXPECT_NEAR(near[0].second, 0.2436, 5e-5);
  const auto far = aliases(inv_freq, 8630000, 8645000, 0.2, 1);
  ASSERT_EQ(far.size(), 1U);
  EXPECT_EQ(far[0].first, 8638047);
  EXPECT_NEAR(far[0].second, 0.269081, 5e-7);
}

TEST(FindAliases, CountsNeighboursOutsideTheRange) {
  // K falls from 0 on: nothing is a peak at the edge of a range that starts on the slope, and 0 is one.
  const auto inv_freq = reference::frequencies(128);
  EXPECT_EQ(aliases(inv_freq, 1, 3, -1, 4).size(), 0U);
  const auto found = aliases(inv_freq, 0, 3, -1, 4);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0], std::pair(0.0, 1.0));
}

TEST(FindAliases, FindsNoPeakOnAFlatKernel) {
  EXPECT_EQ(aliases({0.0, 0.0, 0.0}, 0, 2000, -1, 4).size(), 0U);
  EXPECT_LE(aliases({1e-12}, 1, 2000, -1, 4).size(), 0U);  // one slow fall, far below the last bit per step
}

TEST(KernelEnvelope, MatchesABruteForceSearch) {
  const auto inv_freq = reference::frequencies(20);
  const std::vector<double> edges = {0, 1, 2, 10, 300, 9000};
  std::vector<double> minimum(5), maximum(5), argmax(5), scratch(kernel_scratch(10));
  ASSERT_EQ(kernel_envelope(minimum, maximum, argmax, inv_freq, edges, scratch), Status::Ok);
  for (std::size_t i = 0; i < 5; ++i) {
    double low = 2, high = -2, at = 0;
    for (double n = edges[i]; n < edges[i + 1]; ++n) {
      const double k = reference::kernel(n, inv_freq);
      low = std::min(low, k);
      if (k > high) at = n;
      high = std::max(high, k);
    }
    EXPECT_NEAR(minimum[i], low, 26 * 0x1p-53 + 0x1p-53) << i;
    EXPECT_NEAR(maximum[i], high, 26 * 0x1p-53 + 0x1p-53) << i;
    EXPECT_EQ(argmax[i], at) << i;
  }
}

TEST(DistanceKernel, RefusesBadInputAndLeavesTheOutputAlone) {
  std::vector<double> out(2, -7.0);
  const auto call = [&](const std::vector<double>& inv_freq, const std::vector<double>& distances) {
    const Status status = distance_kernel(out, inv_freq, distances);
    EXPECT_EQ(decay_bound(out, inv_freq, distances), status);
    return status;
  };
  EXPECT_EQ(call({}, {1, 2}), Status::BadShape);
  EXPECT_EQ(call({1}, {1}), Status::WrongLength);
  EXPECT_EQ(call({kNaN}, {1, 2}), Status::NotFinite);
  EXPECT_EQ(call({1e10}, {1, 2}), Status::OutOfRange);
  for (const double bad : {0.5, kNaN, kInfinity, 0x1p54}) EXPECT_EQ(call({1}, {1, bad}), Status::OutOfRange) << bad;
  EXPECT_EQ(out, std::vector<double>(2, -7.0));
}

TEST(FindAliases, RefusesBadInputAndWritesNothing) {
  std::vector<double> distance(2, -7.0), similarity(2, -7.0), one(1), scratch(kernel_scratch(1)), none;
  std::size_t found = 99;
  const auto call = [&](const std::vector<double>& inv_freq, double from, double to, double above) {
    return find_aliases(distance, similarity, found, inv_freq, from, to, above, scratch);
  };
  EXPECT_EQ(call({}, 0, 9, 0), Status::BadShape);
  EXPECT_EQ(call({1, 2}, 0, 9, 0), Status::WrongLength);  // of the scratch
  EXPECT_EQ(call({kInfinity}, 0, 9, 0), Status::NotFinite);
  EXPECT_EQ(call({1}, 0, 9, kNaN), Status::NotFinite);
  EXPECT_EQ(call({1}, -1, 9, 0), Status::OutOfRange);
  EXPECT_EQ(call({1}, 0.5, 9, 0), Status::OutOfRange);
  EXPECT_EQ(call({1}, 9, 8, 0), Status::OutOfRange);
  EXPECT_EQ(call({1}, 0, kMaxDistance, 0), Status::OutOfRange);
  EXPECT_EQ(call({1}, 0, kNaN, 0), Status::OutOfRange);
  EXPECT_EQ(find_aliases(distance, one, found, std::vector{1.0}, 0, 9, 0, scratch), Status::WrongLength);
  EXPECT_EQ(find_aliases(none, none, found, std::vector{1.0}, 0, 9, 0, scratch), Status::BadShape);
  EXPECT_EQ(found, 99U);
  EXPECT_EQ(distance, std::vector<double>(2, -7.0));
  EXPECT_EQ(similarity, std::vector<double>(2, -7.0));
  EXPECT_EQ(kernel_scratch(kTooLarge / 100), kTooLarge);
}

TEST(KernelEnvelope, RefusesBadInputAndLeavesTheOutputAlone) {
  std::vector<double> low(1, -7.0), high(1, -7.0), at(1, -7.0), scratch(kernel_scratch(1)), two(2);
  const auto call = [&](const std::vector<double>& edges) {
    return kernel_envelope(low, high, at, std::vector{1.0}, edges, scratch);
  };
  EXPECT_EQ(call({0}), Status::BadShape);
  EXPECT_EQ(call({0, 1, 2}), Status::WrongLength);
  EXPECT_EQ(kernel_envelope(low, two, at, std::vector{1.0}, std::vector{0.0, 1.0}, scratch), Status::WrongLength);
  for (const auto& edges : {std::vector{1.0, 1.0}, {2.0, 1.0}, {-1.0, 1.0}, {0.0, 1.5}, {0.0, kNaN}, {0.0, 0x1p54}}) {
    EXPECT_EQ(call(edges), Status::OutOfRange);
  }
  EXPECT_EQ(low, std::vector<double>(1, -7.0));
  EXPECT_EQ(high, std::vector<double>(1, -7.0));
  EXPECT_EQ(at, std::vector<double>(1, -7.0));
}

}  // namespace
}  // namespace posenc
