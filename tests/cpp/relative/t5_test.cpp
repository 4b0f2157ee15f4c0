#include "core/relative/t5.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "cpp/numbers.hpp"
#include "cpp/relative/term_problem.hpp"
#include "reference/t5.hpp"

namespace posenc {
namespace {

constexpr float kUntouched = -7;
constexpr T5Rule kPast{.reach = T5Reach::Past};

std::vector<std::int32_t> buckets_of(const std::vector<double>& relative, T5Rule rule) {
  std::vector<std::int32_t> out(relative.size());
  EXPECT_EQ(t5_buckets(out, relative, rule), Status::Ok);
  return out;
}

TEST(T5Buckets, AreThePublishedOnes) {
  EXPECT_EQ(buckets_of({-128, -64, -32, -17, -16, -15, -8, -7, -1, 0, 1, 7, 8, 15, 16, 127, 128, 1000}, {}),
            (std::vector<std::int32_t>{15, 14, 12, 10, 10, 9, 8, 7, 1, 0, 17, 23, 24, 25, 26, 31, 31, 31}));
  EXPECT_EQ(buckets_of({-128, -113, -112, -64, -32, -16, -15, 0, 5}, kPast),
            (std::vector<std::int32_t>{31, 31, 30, 26, 21, 16, 15, 0, 0}));
}

TEST(T5Buckets, AreExactOnABorderThatFloatsMiss) {
  const T5Rule rule{.reach = T5Reach::Past, .buckets = 64, .max_distance = 50};
  EXPECT_EQ(buckets_of({-39, -40, -41}, rule), (std::vector<std::int32_t>{46, 48, 49}));
}

TEST(T5Buckets, FollowTheFormulaForEveryRule) {
  for (const T5Reach reach : {T5Reach::BothSides, T5Reach::Past}) {
    for (std::size_t buckets = 4; buckets <= 70; ++buckets) {
      for (const std::size_t max_distance : {36, 50, 64, 128, 200, 1000}) {
        const T5Rule rule{.reach = reach, .buckets = buckets, .max_distance = max_distance};
        std::vector<double> relative;
        for (int r = -1100; r <= 1100; r += r < -300 || r >= 300 ? 50 : 1) relative.push_back(r);
        const std::vector<std::int32_t> got = buckets_of(relative, rule);
        for (std::size_t n = 0; n < got.size(); ++n) {
          ASSERT_EQ(got[n], reference::t5_bucket(static_cast<long>(relative[n]), rule))
              << relative[n] << " of " << buckets << " buckets to " << max_distance;
        }
      }
    }
  }
}

TEST(T5Buckets, TakeTheExtremesOfEveryArgument) {
  const double far = 9007199254740992.0;
  EXPECT_EQ(buckets_of({-far, far}, {}), (std::vector<std::int32_t>{15, 31}));
  const T5Rule most{.reach = T5Reach::Past, .buckets = T5Rule::kMaxBuckets, .max_distance = 2147483647};
  EXPECT_EQ(buckets_of({-far, -32768, -32767, 1}, most), (std::vector<std::int32_t>{65535, 32768, 32767, 0}));
  const T5Rule least{.reach = T5Reach::Past, .buckets = 2, .max_distance = 2};
  EXPECT_EQ(buckets_of({-2, -1, 0, 1}, least), (std::vector<std::int32_t>{1, 1, 0, 0}));
  const T5Rule two_sides{.buckets = 4, .max_distance = 2};
  EXPECT_EQ(buckets_of({-2, -1, 0, 1, 2}, two_sides), (std::vector<std::int32_t>{1, 1, 0, 3, 3}));
}

TEST(T5Bias, TakesTheRowOfEachBucketForEveryShape) {
  Random random(1);
  for (const T5Reach reach : {T5Reach::BothSides, T5Reach::Past}) {
    const T5Rule rule{.reach = reach, .buckets = 8, .max_distance = 20};
    for (const std::size_t queries : {1, 3, 8}) {
      for (const std::size_t keys : {1, 5, 30}) {
        for (const int start : {0, 25, -6}) {
          const std::vector<float> table = random.floats(8 * 2);
          const int key_start = start == 25 ? 17 : 0;
          const BiasShape shape{.heads = 2,
                                .query_length = queries,
                                .key_length = keys,
                                .query_start = static_cast<double>(start),
                                .key_start = static_cast<double>(key_start)};
          std::vector<float> out(2 * queries * keys);
          ASSERT_EQ(t5_bias(out, table, shape, rule), Status::Ok);
          for (std::size_t n = 0; n < out.size(); ++n) {
            const long relative =
                key_start + static_cast<long>(n % keys) - start - static_cast<long>(n / keys % queries);
            const auto bucket = static_cast<std::size_t>(reference::t5_bucket(relative, rule));
            ASSERT_EQ(out[n], table[bucket * 2 + n / (queries * keys)]) << n;
          }
        }
      }
    }
  }
}

TEST(T5, RefusesBadInputAndLeavesTheOutputAlone) {
  std::vector<std::int32_t> buckets(2, -7);
  std::vector<float> bias(6, kUntouched);
  const std::vector<float> table(32);
  const std::vector<double> relative = {0, 1};
  const BiasShape shape{.heads = 1, .query_length = 2, .key_length = 3};
  constexpr std::size_t kOverLimit = T5Rule::kMaxBuckets + 1;
  for (const T5Rule bad :
       {T5Rule{.buckets = 3}, T5Rule{.reach = T5Reach::Past, .buckets = 1}, T5Rule{.buckets = 0},
        T5Rule{.max_distance = 8}, T5Rule{.reach = T5Reach::Past, .max_distance = 16},
        T5Rule{.max_distance = 2147483648U}, T5Rule{.buckets = kOverLimit, .max_distance = 1 << 30}}) {
    EXPECT_EQ(t5_buckets(buckets, relative, bad), Status::BadShape) << bad.buckets;
    EXPECT_EQ(t5_bias(bias, table, shape, bad), Status::BadShape) << bad.buckets;
  }
  EXPECT_EQ(t5_buckets(buckets, {}, {}), Status::BadShape);
  EXPECT_EQ(t5_buckets(buckets, std::vector<double>{0}, {}), Status::WrongLength);
  for (const double bad : {0.5, 9007199254740994.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(t5_buckets(buckets, std::vector<double>{0, bad}, {}), Status::OutOfRange) << bad;
  }
  EXPECT_EQ(t5_bias(bias, std::vector<float>(31), shape, {}), Status::WrongLength);
  BiasShape spoilt = shape;
  spoilt.heads = 2;
  EXPECT_EQ(t5_bias(bias, table, spoilt, {}), Status::WrongLength);
  spoilt.heads = 0;
  EXPECT_EQ(t5_bias(bias, table, spoilt, {}), Status::BadShape);
  spoilt = shape;
  spoilt.query_start = 0.5;
  EXPECT_EQ(t5_bias(bias, table, spoilt, {}), Status::OutOfRange);
  spoilt = shape;
  spoilt.key_start = 0.5;
  EXPECT_EQ(t5_bias(bias, table, spoilt, {}), Status::OutOfRange);
  EXPECT_EQ(buckets, std::vector<std::int32_t>(2, -7));
  EXPECT_EQ(bias, std::vector<float>(6, kUntouched));
}

TEST(T5Bias, OfOneRowIsABiasByDistanceForAttention) {
  Random random(1);
  const std::vector<float> table = random.floats(8 * 6);
  for_each_term_problem([&](const TermProblem& problem) {
    const T5Rule rule{
        .reach = problem.rule.causal ? T5Reach::Past : T5Reach::BothSides, .buckets = 8, .max_distance = 20};
    std::vector<float> bias(6 * problem.distances());
    ASSERT_EQ(t5_bias(bias, table, problem.one_row(), rule), Status::Ok);
    expect_bias_by_distance(problem, bias, {.bias = [&](std::size_t, std::size_t h, std::size_t i, std::size_t j) {
                              return table[static_cast<std::size_t>(
                                               reference::t5_bucket(-static_cast<long>(problem.distance(i, j)), rule)) *
                                               6 +
                                           h];
                            }});
  });
}

}  // namespace
}  // namespace posenc
