#include "core/relative/deberta.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/numeric/shape.hpp"
#include "cpp/numbers.hpp"
#include "cpp/relative/term_problem.hpp"
#include "reference/deberta.hpp"

namespace posenc {
namespace {

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

TEST(DebertaTerm, FollowsTheFormulaInAttention) {
  // Distances as they are, buckets, and buckets of which neighbouring distances skip many.
  const std::vector<std::optional<DebertaRule>> rules = {
      std::nullopt, DebertaRule{.bucket_size = 8, .max_position = 20},
      DebertaRule{.bucket_size = 64, .max_position = 34}, DebertaRule{.bucket_size = 600, .max_position = 302}};
  std::size_t turn = 0;
  for_each_term_problem([&](const TermProblem& problem) {
    const AttentionShape& shape = problem.shape;
    const std::size_t dim = shape.head_dim;
    for (const std::size_t span : {1, 6, 300}) {
      const std::optional<DebertaRule>& rule = rules[turn++ % rules.size()];
      Random random(1);
      const std::vector<float> relative_key = random.floats(shape.heads * 2 * span * dim);
      const std::vector<float> relative_query = random.floats(shape.heads * 2 * span * dim);
      for (const auto& [with_key, with_query] : {std::pair(true, true), {true, false}, {false, true}}) {
        const auto product = [&](std::size_t b, std::size_t h, std::size_t i, std::size_t j) {
          const long distance = static_cast<long>(problem.distance(i, j));
          const long place = rule ? reference::deberta_bucket(distance, *rule) : distance;
          const std::size_t at = (h * 2 * span + reference::deberta_row(place, span)) * dim;
          return (with_key ? dot_sum(problem.query_row(b, h, i), nullptr, &relative_key[at], dim) : 0) +
                 (with_query ? dot_sum(problem.key_row(b, h, j), nullptr, &relative_query[at], dim) : 0);
        };
        using Span = std::span<const float>;
        const DebertaTerm term(with_key ? Span(relative_key) : Span(), with_query ? Span(relative_query) : Span(), span,
                               rule);
        AttentionInputs in = problem.inputs();
        in.relative_term = &term;
        expect_term(problem, in, {.product = product});
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  });
}

TEST(Deberta, RefusesBadInputAndLeavesTheOutputAlone) {
  const TermProblem problem(
      {.heads = 2, .kv_heads = 2, .query_length = 3, .key_length = 5, .head_dim = 4, .value_dim = 4});
  const std::vector<float> table(32);
  const std::span<const float> whole(table);
  std::vector<std::int32_t> buckets(2, -7);
  const std::vector<double> delta = {0, 1};
  const auto expect = [&](const DebertaTerm& term, Status status) {
    AttentionInputs in = problem.inputs();
    in.relative_term = &term;
    expect_refused(problem, in, status);
  };
  constexpr std::size_t kOverLimit = DebertaRule::kMaxBucketSize + 1;
  for (const DebertaRule bad :
       {DebertaRule{.bucket_size = 0}, DebertaRule{.bucket_size = 1}, DebertaRule{.max_position = 129},
        DebertaRule{.bucket_size = kOverLimit, .max_position = 1 << 30}, DebertaRule{.max_position = 2147483648U},
        DebertaRule{.max_position = 255, .reach = DebertaReach::Open}}) {
    EXPECT_EQ(deberta_buckets(buckets, delta, bad), Status::BadShape) << bad.bucket_size;
    expect({whole, whole, 2, bad}, Status::BadShape);
  }
  EXPECT_EQ(deberta_buckets(buckets, {}, {}), Status::BadShape);
  EXPECT_EQ(deberta_buckets(buckets, std::vector<double>{0}, {}), Status::WrongLength);
  for (const double bad : {0.5, 2147483649.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(deberta_buckets(buckets, std::vector<double>{0, bad}, {}), Status::OutOfRange) << bad;
  }
  expect({whole.first(31), whole, 2, {}}, Status::WrongLength);
  expect({whole, whole.first(31), 2, {}}, Status::WrongLength);
  expect({whole, whole, 3, {}}, Status::WrongLength);
  for (const std::size_t span : {std::size_t{0}, kTooLarge / 2, DebertaTerm::kMaxSpan + 1}) {
    expect({whole, whole, span, {}}, Status::BadShape);
  }
  EXPECT_EQ(buckets, std::vector<std::int32_t>(2, -7));
}

}  // namespace
}  // namespace posenc
