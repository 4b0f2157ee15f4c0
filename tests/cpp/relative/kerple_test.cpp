#include "core/relative/kerple.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/numeric/shape.hpp"
#include "cpp/numbers.hpp"
#include "cpp/relative/term_problem.hpp"
#include "reference/kerple.hpp"

namespace posenc {
namespace {

constexpr float kUntouched = -7;

TEST(KerpleBias, FollowsTheFormulaForEveryShape) {
  const std::vector<float> a = {1, 0.01F, 30.5F};
  const std::vector<float> p = {0.5F, 2, 1e-3F};
  for (const std::size_t queries : {1, 2, 9}) {
    for (const std::size_t keys : {1, 6, 17}) {
      for (const double start : {0.0, 5.0, -3.0, 1e6, 2147483648.0}) {
        const double key_start = start > 5 ? start / 2 : -7;
        const BiasShape shape{
            .heads = 3, .query_length = queries, .key_length = keys, .query_start = start, .key_start = key_start};
        std::vector<float> log(3 * queries * keys);
        std::vector<float> power(log.size());
        ASSERT_EQ(kerple_bias(log, a, p, shape, KerpleKind::Log), Status::Ok);
        ASSERT_EQ(kerple_bias(power, a, p, shape, KerpleKind::Power), Status::Ok);
        for (std::size_t n = 0; n < log.size(); ++n) {
          const std::size_t h = n / (queries * keys);
          const double query = start + static_cast<double>(n / keys % queries);
          const double distance = std::abs(query - (key_start + static_cast<double>(n % keys)));
          ASSERT_LE(ulps(log[n], reference::kerple_log(a[h], p[h], distance)), 0.51) << n;
          ASSERT_LE(ulps(power[n], reference::kerple_power(a[h], p[h], distance)), 0.51) << n;
        }
      }
    }
  }
}

TEST(KerpleBias, IsALinearBiasForPowerOne) {
  const BiasShape shape{.heads = 1, .query_length = 1, .key_length = 5, .query_start = 3};
  std::vector<float> out(5);
  ASSERT_EQ(kerple_bias(out, std::vector<float>{0.25F}, std::vector<float>{1}, shape, KerpleKind::Power), Status::Ok);
  EXPECT_EQ(out, (std::vector<float>{-0.75F, -0.5F, -0.25F, 0, -0.25F}));
  EXPECT_FALSE(std::signbit(out[3]));
}

TEST(KerpleBias, RefusesBadInputAndLeavesTheOutputAlone) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::vector<float> out(6, kUntouched);
  const BiasShape shape{.heads = 2, .query_length = 1, .key_length = 3};
  const std::vector<float> good = {1, 2};
  const auto call = [&](std::vector<float> a, std::vector<float> p, KerpleKind kind = KerpleKind::Log) {
    return kerple_bias(out, a, p, shape, kind);
  };
  for (const float bad : {kNaN, kInfinity, -kInfinity}) {
    EXPECT_EQ(call({1, bad}, good), Status::NotFinite) << bad;
    EXPECT_EQ(call(good, {1, bad}), Status::NotFinite) << bad;
  }
  for (const float bad : {0.0F, -1.0F}) {
    EXPECT_EQ(call({1, bad}, good), Status::OutOfRange) << bad;
    EXPECT_EQ(call(good, {1, bad}), Status::OutOfRange) << bad;
  }
  EXPECT_EQ(call(good, {1, 2.5F}, KerpleKind::Power), Status::OutOfRange);
  EXPECT_EQ(call({1}, good), Status::WrongLength);
  EXPECT_EQ(call(good, {1}), Status::WrongLength);
  const auto with = [&](auto member, auto value) {
    BiasShape spoilt = shape;
    spoilt.*member = value;
    return kerple_bias(out, good, good, spoilt, KerpleKind::Log);
  };
  EXPECT_EQ(with(&BiasShape::heads, 0U), Status::BadShape);
  EXPECT_EQ(with(&BiasShape::query_length, 2U), Status::WrongLength);
  EXPECT_EQ(with(&BiasShape::key_length, kTooLarge / 2 + 4), Status::WrongLength);  // wraps to 6
  EXPECT_EQ(with(&BiasShape::query_start, 0.5), Status::OutOfRange);
  EXPECT_EQ(with(&BiasShape::key_start, 0.5), Status::OutOfRange);
  EXPECT_EQ(out, std::vector<float>(6, kUntouched));
}

TEST(KerpleBias, OfOneRowIsABiasByDistanceForAttention) {
  const std::vector<float> a = {1, 0.01F, 30.5F, 0.5F, 2, 0.1F};
  const std::vector<float> p = {0.5F, 1.5F, 1e-3F, 1, 0.1F, 0.7F};
  for_each_term_problem([&](const TermProblem& problem) {
    const bool is_log = problem.shape.key_length % 2 == 0;
    std::vector<float> bias(6 * problem.distances());
    ASSERT_EQ(kerple_bias(bias, a, p, problem.one_row(), is_log ? KerpleKind::Log : KerpleKind::Power), Status::Ok);
    expect_bias_by_distance(problem, bias, {.bias = [&](std::size_t, std::size_t h, std::size_t i, std::size_t j) {
                              const double distance = std::abs(problem.distance(i, j));
                              return is_log ? reference::kerple_log(a[h], p[h], distance)
                                            : reference::kerple_power(a[h], p[h], distance);
                            }});
  });
}

}  // namespace
}  // namespace posenc
