#include "core/relative/alibi.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "cpp/numbers.hpp"
#include "cpp/relative/term_problem.hpp"
#include "reference/alibi.hpp"

namespace posenc {
namespace {

constexpr float kUntouched = -7;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(AlibiSlopes, FollowThePublishedCodeForEveryNumberOfHeads) {
  for (std::size_t heads = 1; heads <= 130; ++heads) {
    for (const double bias_max : {8.0, 16.0, 5.5}) {
      std::vector<double> slopes(heads);
      ASSERT_EQ(alibi_slopes(slopes, AlibiRule::PublishedCode, bias_max), Status::Ok);
      const std::vector<double> expected = reference::published_slopes(heads, bias_max);
      for (std::size_t h = 0; h < heads; ++h) {
        EXPECT_NEAR(slopes[h] / expected[h], 1, 1e-13) << heads << " heads, head " << h;
      }
    }
  }
}

TEST(AlibiSlopes, AreOneGeometricSeriesByThePapersRule) {
  for (const std::size_t heads : {1, 2, 3, 12, 40, 71}) {
    std::vector<double> slopes(heads);
    ASSERT_EQ(alibi_slopes(slopes, AlibiRule::Geometric, 8), Status::Ok);
    const std::vector<double> expected = reference::geometric_slopes(heads, 8);
    for (std::size_t h = 0; h < heads; ++h) EXPECT_NEAR(slopes[h] / expected[h], 1, 1e-13) << heads << ", " << h;
  }
}

TEST(AlibiSlopes, AreExactPowersOfTwoForEightHeads) {
  std::vector<double> slopes(8);
  ASSERT_EQ(alibi_slopes(slopes, AlibiRule::PublishedCode, 8), Status::Ok);
  EXPECT_EQ(slopes, (std::vector<double>{0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625}));
}

TEST(AlibiSlopes, RefuseBadInputAndLeaveTheOutputAlone) {
  std::vector<double> slopes(3, kUntouched);
  EXPECT_EQ(alibi_slopes({}, AlibiRule::PublishedCode, 8), Status::BadShape);
  for (const double bad : {kNaN, kInfinity}) {
    EXPECT_EQ(alibi_slopes(slopes, AlibiRule::PublishedCode, bad), Status::NotFinite);
  }
  for (const double bad : {0.0, -8.0}) {
    EXPECT_EQ(alibi_slopes(slopes, AlibiRule::PublishedCode, bad), Status::OutOfRange);
  }
  EXPECT_EQ(slopes, std::vector<double>(3, kUntouched));
}

TEST(AlibiBias, IsTheSlopeTimesTheDistanceForEveryShape) {
  const std::vector<double> slopes = {0.5, 0.3, 0.001};
  for (const std::size_t queries : {1, 2, 5, 9}) {
    for (const std::size_t keys : {1, 2, 7, 12}) {
      for (const double start : {0.0, 3.0, -4.0, 1e6, 2147483648.0}) {
        const double key_start = start > 3 ? start / 2 : -9;
        std::vector<float> causal(3 * queries * keys);
        std::vector<float> symmetric(causal.size());
        const BiasShape shape{
            .heads = 3, .query_length = queries, .key_length = keys, .query_start = start, .key_start = key_start};
        ASSERT_EQ(alibi_bias(causal, slopes, {}, shape, AlibiForm::Causal), Status::Ok);
        ASSERT_EQ(alibi_bias(symmetric, slopes, {}, shape, AlibiForm::Symmetric), Status::Ok);
        for (std::size_t n = 0; n < causal.size(); ++n) {
          const std::size_t h = n / (queries * keys);
          const double query = start + static_cast<double>(n / keys % queries);
          const double distance = query - (key_start + static_cast<double>(n % keys));
          EXPECT_LE(ulps(causal[n], -slopes[h] * distance), 0.5) << n;
          EXPECT_LE(ulps(symmetric[n], -slopes[h] * std::abs(distance)), 0.5) << n;
        }
      }
    }
  }
}

TEST(AlibiBias, CountsAPaddedSequenceByItsOwnPositions) {
  const std::vector<double> slopes = {0.25};
  const std::vector<double> positions = {0, 0, 0, 1, 2};  // two tokens of padding on the left
  std::vector<float> out(10);
  const BiasShape shape{.heads = 1, .query_length = 2, .key_length = 5, .query_start = 3};
  ASSERT_EQ(alibi_bias(out, slopes, positions, shape, AlibiForm::Causal), Status::Ok);
  EXPECT_EQ(out, (std::vector<float>{-0.25, -0.25, -0.25, 0, 0.25, -0.5, -0.5, -0.5, -0.25, 0}));
  BiasShape later = shape;
  later.query_start = 1003;
  later.key_start = 1000;
  std::vector<float> same(10);
  ASSERT_EQ(alibi_bias(same, slopes, positions, later, AlibiForm::Causal), Status::Ok);
  EXPECT_EQ(same, out);
  ASSERT_EQ(alibi_bias(out, slopes, positions, shape, AlibiForm::Symmetric), Status::Ok);
  EXPECT_EQ(out, (std::vector<float>{-0.25, -0.25, -0.25, 0, -0.25, -0.5, -0.5, -0.5, -0.25, 0}));
}

TEST(AlibiBias, HasNoMinusZero) {
  std::vector<float> out(1);
  const BiasShape shape{.heads = 1, .query_length = 1, .key_length = 1};
  for (const AlibiForm form : {AlibiForm::Causal, AlibiForm::Symmetric}) {
    ASSERT_EQ(alibi_bias(out, std::vector<double>{0.5}, {}, shape, form), Status::Ok);
    EXPECT_FALSE(std::signbit(out[0]));
  }
}

TEST(AlibiBias, RefusesBadInputAndLeavesTheOutputAlone) {
  std::vector<float> out(12, kUntouched);
  const BiasShape valid{.heads = 2, .query_length = 2, .key_length = 3, .query_start = 1};
  const std::vector<double> two = {0.5, 0.25};
  const auto call = [&](BiasShape shape, std::vector<double> slopes, std::vector<double> positions = {}) {
    return alibi_bias(out, slopes, positions, shape, AlibiForm::Causal);
  };
  const auto with = [&](auto member, auto value) {
    BiasShape shape = valid;
    shape.*member = value;
    return call(shape, two);
  };
  EXPECT_EQ(with(&BiasShape::heads, 0U), Status::BadShape);
  EXPECT_EQ(with(&BiasShape::query_length, 0U), Status::BadShape);
  EXPECT_EQ(with(&BiasShape::key_length, 0U), Status::BadShape);
  EXPECT_EQ(with(&BiasShape::heads, 3U), Status::WrongLength);
  EXPECT_EQ(with(&BiasShape::key_length, kTooLarge / 4 + 4), Status::WrongLength);  // wraps to 12
  for (const double bad : {0.5, kNaN, kInfinity, 2147483649.0}) {
    EXPECT_EQ(with(&BiasShape::query_start, bad), Status::OutOfRange) << bad;
    EXPECT_EQ(with(&BiasShape::key_start, bad), Status::OutOfRange) << bad;
  }
  EXPECT_EQ(call(valid, {0.5}), Status::WrongLength);
  EXPECT_EQ(call(valid, {0.5, kNaN}), Status::NotFinite);
  EXPECT_EQ(call(valid, two, {0, 1}), Status::WrongLength);
  EXPECT_EQ(call(valid, two, {0, 1, 0.5}), Status::OutOfRange);
  BiasShape outside = valid;
  for (const double start : {-1.0, 2.0}) {
    outside.query_start = start;
    EXPECT_EQ(call(outside, two, {0, 1, 2}), Status::OutOfRange) << start;
    BiasShape later = outside;
    later.query_start += 50;
    later.key_start = 50;
    EXPECT_EQ(call(later, two, {0, 1, 2}), Status::OutOfRange) << start;
  }
  EXPECT_EQ(out, std::vector<float>(12, kUntouched));
}

TEST(AlibiBias, OfOneRowIsABiasByDistanceForAttention) {
  const std::vector<double> slopes = {0.5, 0.3, 0.001, 1, 0, 0.25};
  for_each_term_problem([&](const TermProblem& problem) {
    std::vector<float> bias(6 * problem.distances());
    ASSERT_EQ(alibi_bias(bias, slopes, {}, problem.one_row(), AlibiForm::Symmetric), Status::Ok);
    expect_bias_by_distance(problem, bias, {.bias = [&](std::size_t, std::size_t h, std::size_t i, std::size_t j) {
                              return -slopes[h] * std::abs(problem.distance(i, j));
                            }});
  });
}

TEST(AlibiTerm, CountsPaddedSequencesByTheirOwnPositions) {
  const std::vector<double> slopes = {0.5, 0.3, 0.001, 1, 0, 0.25};
  for_each_term_problem([&](const TermProblem& problem) {
    const AttentionShape& shape = problem.shape;
    if (problem.first_query() < 0 || problem.distance(shape.query_length - 1, shape.key_length) >= 0) return;
    Random random(3);
    const std::size_t sequences = shape.key_length % 2 == 0 ? 1 : shape.batch;
    std::vector<double> positions(sequences * shape.key_length);
    for (double& position : positions) position = random.whole(-20, 20);
    const auto start = static_cast<std::size_t>(problem.first_query());
    const AlibiTerm term(slopes, positions);
    AttentionInputs in = problem.inputs();
    in.bias_term = &term;
    expect_term(problem, in, {.bias = [&](std::size_t b, std::size_t h, std::size_t i, std::size_t j) {
                  const double* of = positions.data() + (sequences == 1 ? 0 : b) * shape.key_length;
                  return -slopes[h] * std::abs(of[start + i] - of[j]);
                }});
  });
}

TEST(AlibiTerm, IsRefusedWhereItDoesNotFit) {
  TermProblem problem({.heads = 2, .kv_heads = 2, .query_length = 3, .key_length = 5, .head_dim = 4, .value_dim = 4});
  const std::vector<double> two = {0.5, 0.25};
  const auto expect = [&](std::vector<double> slopes, std::vector<double> positions, Status status) {
    const AlibiTerm term(slopes, positions);
    AttentionInputs in = problem.inputs();
    in.bias_term = &term;
    expect_refused(problem, in, status);
  };
  expect({0.5}, {0, 1, 2, 3, 4}, Status::WrongLength);
  expect({0.5, kNaN}, {0, 1, 2, 3, 4}, Status::NotFinite);
  expect(two, {}, Status::WrongLength);
  expect(two, {0, 1}, Status::WrongLength);
  expect(two, {0, 1, 2, 3, 0.5}, Status::OutOfRange);
  for (const std::int64_t start : {-1, 3}) {
    problem.rule.query_start = start;
    expect(two, {0, 1, 2, 3, 4}, Status::OutOfRange);
  }
}

}  // namespace
}  // namespace posenc
