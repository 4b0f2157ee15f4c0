#include "core/shaw.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "numbers.hpp"
#include "reference/shaw.hpp"

namespace posenc {
namespace {

constexpr float kUntouched = -7;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// Random tensors for a shape, and room for every result.
struct Problem {
  AttentionShape shape;
  ShawRule rule;
  std::vector<float> query, key, value, key_table, value_table;

  Problem(const AttentionShape& s, ShawRule r, std::uint64_t seed = 1) : shape(s), rule(r) {
    Random random(seed);
    query = random.floats(s.batch * s.query_length * s.heads * s.head_dim);
    key = random.floats(s.batch * s.key_length * s.kv_heads * s.head_dim);
    value = random.floats(s.batch * s.key_length * s.kv_heads * s.value_dim);
    key_table = random.floats((2 * r.clip + 1) * s.head_dim);
    value_table = random.floats((2 * r.clip + 1) * s.value_dim);
  }

  [[nodiscard]] ShawInputs inputs() const {
    return {.query = query, .key = key, .value = value, .key_table = key_table, .value_table = value_table};
  }
  [[nodiscard]] std::vector<float> run(AttentionResult result) const { return run(result, inputs()); }
  [[nodiscard]] std::vector<float> run(AttentionResult result, const ShawInputs& in) const {
    const std::size_t width = result == AttentionResult::Output ? shape.value_dim : shape.key_length;
    std::vector<float> out(shape.batch * shape.heads * shape.query_length * width, kUntouched);
    std::vector<double> scratch(shaw_scratch(shape, rule));
    EXPECT_EQ(shaw_attention(out, in, shape, rule, result, scratch), Status::Ok);
    return out;
  }
};

void expect_near(const std::vector<float>& got, const std::vector<double>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t n = 0; n < got.size(); ++n) {
    if (std::isinf(expected[n])) {
      EXPECT_EQ(static_cast<double>(got[n]), expected[n]) << n;
    } else {
      EXPECT_NEAR(got[n], expected[n], 1e-7 * (1 + std::abs(expected[n]))) << n;
    }
  }
}

TEST(ShawAttention, FollowsTheFormulasForEveryShape) {
  for (const TensorFormat format : {TensorFormat::Bshd, TensorFormat::Bhsd}) {
    for (const std::size_t head_dim : {1, 3, 4, 9, 16}) {
      for (const std::size_t clip : {0, 1, 3, 40}) {
        for (const double start : {0.0, 4.0, -2.0, 100.0}) {
          for (const bool causal : {false, true}) {
            const AttentionShape shape{.batch = 2,
                                       .heads = 4,
                                       .kv_heads = 2,
                                       .query_length = 5,
                                       .key_length = 9,
                                       .head_dim = head_dim,
                                       .value_dim = head_dim + 2,
                                       .format = format};
            const Problem problem(shape, {.clip = clip, .query_start = start, .causal = causal});
            const auto expected = reference::shaw_attention(problem.inputs(), shape, problem.rule);
            expect_near(problem.run(AttentionResult::Output), expected.output);
            expect_near(problem.run(AttentionResult::Weights), expected.weights);
            expect_near(problem.run(AttentionResult::Scores), expected.scores);
          }
        }
      }
    }
  }
}

TEST(ShawAttention, NeedsNoTableOfValues) {
  const AttentionShape shape{
      .heads = 2, .kv_heads = 2, .query_length = 3, .key_length = 5, .head_dim = 4, .value_dim = 4};
  const Problem problem(shape, {.clip = 2, .query_start = 2, .causal = true});
  ShawInputs inputs = problem.inputs();
  inputs.value_table = {};
  expect_near(problem.run(AttentionResult::Output, inputs),
              reference::shaw_attention(inputs, shape, problem.rule).output);
}

TEST(ShawAttention, DependsOnTheDistanceOnly) {
  const AttentionShape shape{
      .heads = 1, .kv_heads = 1, .query_length = 6, .key_length = 6, .head_dim = 5, .value_dim = 5};
  Problem problem(shape, {.clip = 3});
  for (std::size_t n = 5; n < problem.query.size(); ++n) {  // the same query and key everywhere
    problem.query[n] = problem.query[n - 5];
    problem.key[n] = problem.key[n - 5];
  }
  const std::vector<float> scores = problem.run(AttentionResult::Scores);
  for (std::size_t i = 1; i < 6; ++i) {
    for (std::size_t j = 1; j < 6; ++j) EXPECT_EQ(scores[i * 6 + j], scores[(i - 1) * 6 + j - 1]);
  }
}

TEST(ShawAttention, KeepsANaNInTheRowsThatAttendToIt) {
  const AttentionShape shape{
      .heads = 1, .kv_heads = 1, .query_length = 4, .key_length = 4, .head_dim = 3, .value_dim = 2};
  for (const float bad : {kNaN, kInfinity}) {
    Problem problem(shape, {.clip = 2, .causal = true});
    problem.value[2 * 2] = bad;
    const std::vector<float> out = problem.run(AttentionResult::Output);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(std::isfinite(out[i * 2]), i < 2) << i;
      EXPECT_TRUE(std::isfinite(out[i * 2 + 1])) << i;
    }
  }
}

TEST(ShawAttention, RefusesBadInputAndLeavesTheOutputAlone) {
  const AttentionShape shape{
      .heads = 2, .kv_heads = 2, .query_length = 3, .key_length = 5, .head_dim = 4, .value_dim = 4};
  const Problem problem(shape, {.clip = 2});
  std::vector<float> out(24, kUntouched);
  std::vector<double> scratch(shaw_scratch(shape, problem.rule));
  const auto status = [&](const ShawInputs& in, const AttentionShape& s, ShawRule rule) {
    return shaw_attention(out, in, s, rule, AttentionResult::Output, scratch);
  };
  for (auto size :
       {&AttentionShape::batch, &AttentionShape::heads, &AttentionShape::kv_heads, &AttentionShape::query_length,
        &AttentionShape::key_length, &AttentionShape::head_dim, &AttentionShape::value_dim}) {
    AttentionShape spoilt = shape;
    spoilt.*size = 0;
    EXPECT_EQ(status(problem.inputs(), spoilt, problem.rule), Status::BadShape);
    spoilt.*size = 3 * (shape.*size);
    EXPECT_NE(status(problem.inputs(), spoilt, problem.rule), Status::Ok);
    spoilt.*size = kTooLarge / 2;
    EXPECT_EQ(status(problem.inputs(), spoilt, problem.rule), Status::BadShape);
  }
  AttentionShape grouped = shape;
  grouped.kv_heads = 3;
  EXPECT_EQ(status(problem.inputs(), grouped, problem.rule), Status::BadShape);
  for (auto tensor :
       {&ShawInputs::query, &ShawInputs::key, &ShawInputs::value, &ShawInputs::key_table, &ShawInputs::value_table}) {
    ShawInputs inputs = problem.inputs();
    inputs.*tensor = (inputs.*tensor).first((inputs.*tensor).size() - 1);
    EXPECT_EQ(status(inputs, shape, problem.rule), Status::WrongLength);
  }
  EXPECT_EQ(status(problem.inputs(), shape, {.clip = 3}), Status::WrongLength);
  for (const std::size_t clip : {kTooLarge, kTooLarge / 2, kTooLarge / 2 - 1}) {
    EXPECT_EQ(status(problem.inputs(), shape, {.clip = clip}), Status::BadShape);
  }
  for (const double bad : {0.5, 2147483649.0, static_cast<double>(kNaN)}) {
    EXPECT_EQ(status(problem.inputs(), shape, {.clip = 2, .query_start = bad}), Status::OutOfRange);
  }
  scratch.pop_back();
  EXPECT_EQ(status(problem.inputs(), shape, problem.rule), Status::WrongLength);
  EXPECT_EQ(out, std::vector<float>(24, kUntouched));
}

}  // namespace
}  // namespace posenc
