#include "core/deberta.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/shape.hpp"
#include "numbers.hpp"
#include "reference/deberta.hpp"

namespace posenc {
namespace {

constexpr float kUntouched = -7;

std::vector<std::int32_t> buckets_of(const std::vector<double>& delta, DebertaRule rule) {
  std::vector<std::int32_t> out(delta.size());
  EXPECT_EQ(deberta_buckets(out, delta, rule), Status::Ok);
  return out;
}

TEST(DebertaBuckets, AreThePublishedOnes) {
  EXPECT_EQ(buckets_of({0, 1, 127, 128, 129, 200, 256, 511, -129}, {}),
            (std::vector<std::int32_t>{0, 1, 127, 128, 129, 169, 192, 255, -129}));
}

TEST(DebertaBuckets, AreExactOnABorderThatDoublesMiss) {
  const DebertaRule rule{.bucket_size = 32, .max_position = 129};
  EXPECT_EQ(buckets_of({32, 64, -32, -64}, rule), (std::vector<std::int32_t>{21, 26, -21, -26}));
}

TEST(DebertaBuckets, FollowTheFormulaForEveryRule) {
  for (const DebertaReach reach : {DebertaReach::Limited, DebertaReach::Open}) {
    for (std::size_t bucket_size = 2; bucket_size <= 66; ++bucket_size) {
      for (const std::size_t max_position : {68, 100, 129, 512, 1000}) {
        const DebertaRule rule{.bucket_size = bucket_size, .max_position = max_position, .reach = reach};
        std::vector<double> delta;
        for (int d = -1300; d <= 1300; d += d < -300 || d >= 300 ? 50 : 1) delta.push_back(d);
        const std::vector<std::int32_t> got = buckets_of(delta, rule);
        for (std::size_t n = 0; n < got.size(); ++n) {
          ASSERT_EQ(got[n], reference::deberta_bucket(static_cast<long>(delta[n]), rule))
              << delta[n] << " of " << bucket_size << " to " << max_position;
        }
      }
    }
  }
}

TEST(DebertaBuckets, GoOnOrStopAtTheLastPosition) {
  DebertaRule rule;
  EXPECT_EQ(buckets_of({-511, -512, -600, -2147483648.0}, rule), (std::vector<std::int32_t>{-255, -255, -255, -255}));
  rule.reach = DebertaReach::Open;
  EXPECT_EQ(buckets_of({-511, -512, 511, 512}, rule), (std::vector<std::int32_t>{-255, -256, 255, 256}));
  const DebertaRule most{.bucket_size = DebertaRule::kMaxBucketSize, .max_position = 2147483647};
  EXPECT_EQ(buckets_of({-2147483648.0, 32768, 2147483646, 2147483648.0}, most),
            (std::vector<std::int32_t>{-65535, 32768, 65535, 65535}));
}

/// Random tensors for a shape.
struct Problem {
  AttentionShape shape;
  std::vector<float> query, key, relative_key, relative_query;

  Problem(const AttentionShape& s, std::size_t span) : shape(s) {
    Random random(1);
    query = random.floats(s.batch * s.query_length * s.heads * s.head_dim);
    key = random.floats(s.batch * s.key_length * s.kv_heads * s.head_dim);
    relative_key = random.floats(s.heads * 2 * span * s.head_dim);
    relative_query = random.floats(s.heads * 2 * span * s.head_dim);
  }

  [[nodiscard]] DebertaInputs inputs(bool with_key = true, bool with_query = true) const {
    DebertaInputs in{.query = query, .key = key};
    if (with_key) in.relative_key = relative_key;
    if (with_query) in.relative_query = relative_query;
    return in;
  }
};

void expect_near(const std::vector<float>& got, const std::vector<double>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t n = 0; n < got.size(); ++n) {
    EXPECT_NEAR(got[n], expected[n], 1e-7 * (1 + std::abs(expected[n]))) << n;
  }
}

TEST(DebertaScores, FollowTheFormulaForEveryShapeAndTerm) {
  for (const TensorFormat format : {TensorFormat::Bshd, TensorFormat::Bhsd}) {
    for (const std::size_t head_dim : {1, 3, 4, 9}) {
      for (const std::size_t queries : {1, 4, 30}) {
        for (const std::size_t keys : {1, 7, 30}) {
          for (const std::size_t span : {1, 3, 8}) {
            const AttentionShape shape{.batch = 2,
                                       .heads = 4,
                                       .kv_heads = 2,
                                       .query_length = queries,
                                       .key_length = keys,
                                       .head_dim = head_dim,
                                       .format = format};
            const Problem problem(shape, span);
            const DebertaRule rule{.bucket_size = 8, .max_position = 20};
            std::vector<float> out(2 * 4 * queries * keys);
            for (const bool with_key : {false, true}) {
              for (const bool with_query : {false, true}) {
                const DebertaInputs in = problem.inputs(with_key, with_query);
                ASSERT_EQ(deberta_scores(out, in, shape, span), Status::Ok);
                expect_near(out, reference::deberta_scores(in, shape, span, [](long delta) { return delta; }));
                ASSERT_EQ(deberta_scores(out, in, shape, span, rule), Status::Ok);
                const auto bucket = [&](long delta) { return reference::deberta_bucket(delta, rule); };
                expect_near(out, reference::deberta_scores(in, shape, span, bucket));
              }
            }
          }
        }
      }
    }
  }
}

TEST(Deberta, RefusesBadInputAndLeavesTheOutputAlone) {
  const AttentionShape shape{.heads = 2, .kv_heads = 2, .query_length = 3, .key_length = 5, .head_dim = 4};
  const Problem problem(shape, 2);
  std::vector<std::int32_t> buckets(2, -7);
  std::vector<float> scores(30, kUntouched);
  const std::vector<double> delta = {0, 1};
  constexpr std::size_t kOverLimit = DebertaRule::kMaxBucketSize + 1;
  for (const DebertaRule bad :
       {DebertaRule{.bucket_size = 0}, DebertaRule{.bucket_size = 1}, DebertaRule{.max_position = 129},
        DebertaRule{.bucket_size = kOverLimit, .max_position = 1 << 30}, DebertaRule{.max_position = 2147483648U},
        DebertaRule{.max_position = 255, .reach = DebertaReach::Open}}) {
    EXPECT_EQ(deberta_buckets(buckets, delta, bad), Status::BadShape) << bad.bucket_size;
    EXPECT_EQ(deberta_scores(scores, problem.inputs(), shape, 2, bad), Status::BadShape) << bad.bucket_size;
  }
  EXPECT_EQ(deberta_buckets(buckets, {}, {}), Status::BadShape);
  EXPECT_EQ(deberta_buckets(buckets, std::vector<double>{0}, {}), Status::WrongLength);
  for (const double bad : {0.5, 2147483649.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(deberta_buckets(buckets, std::vector<double>{0, bad}, {}), Status::OutOfRange) << bad;
  }
  for (auto size : {&AttentionShape::batch, &AttentionShape::heads, &AttentionShape::kv_heads,
                    &AttentionShape::query_length, &AttentionShape::key_length, &AttentionShape::head_dim}) {
    AttentionShape spoilt = shape;
    spoilt.*size = 0;
    EXPECT_EQ(deberta_scores(scores, problem.inputs(), spoilt, 2), Status::BadShape);
    spoilt.*size = 3 * (shape.*size);
    EXPECT_NE(deberta_scores(scores, problem.inputs(), spoilt, 2), Status::Ok);
    spoilt.*size = kTooLarge - 1;
    EXPECT_EQ(deberta_scores(scores, problem.inputs(), spoilt, 2), Status::BadShape);
  }
  for (auto tensor :
       {&DebertaInputs::query, &DebertaInputs::key, &DebertaInputs::relative_key, &DebertaInputs::relative_query}) {
    DebertaInputs inputs = problem.inputs();
    inputs.*tensor = (inputs.*tensor).first((inputs.*tensor).size() - 1);
    EXPECT_EQ(deberta_scores(scores, inputs, shape, 2), Status::WrongLength);
  }
  EXPECT_EQ(deberta_scores(scores, problem.inputs(), shape, 0), Status::BadShape);
  EXPECT_EQ(deberta_scores(scores, problem.inputs(), shape, 3), Status::WrongLength);
  EXPECT_EQ(deberta_scores(scores, problem.inputs(), shape, kTooLarge / 2), Status::BadShape);
  EXPECT_EQ(buckets, std::vector<std::int32_t>(2, -7));
  EXPECT_EQ(scores, std::vector<float>(30, kUntouched));
}

}  // namespace
}  // namespace posenc
