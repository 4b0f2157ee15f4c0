#include "core/transformer_xl.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "numbers.hpp"
#include "reference/transformer_xl.hpp"

namespace posenc {
namespace {

constexpr float kUntouched = -7;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<double> frequencies(std::size_t dim) {
  std::vector<double> result((dim + 1) / 2);
  for (std::size_t p = 0; p < result.size(); ++p) {
    result[p] = std::pow(10000.0, -2.0 * static_cast<double>(p) / static_cast<double>(dim));
  }
  return result;
}

/// Random tensors for a shape.
struct Problem {
  AttentionShape shape;
  std::vector<float> query, key, u, v, relative_keys;

  explicit Problem(const AttentionShape& s) : shape(s) {
    Random random(1);
    query = random.floats(s.batch * s.query_length * s.heads * s.head_dim);
    key = random.floats(s.batch * s.key_length * s.kv_heads * s.head_dim);
    u = random.floats(s.heads * s.head_dim);
    v = random.floats(s.heads * s.head_dim);
    relative_keys = random.floats((s.query_length + s.key_length) * s.heads * s.head_dim);
  }

  [[nodiscard]] TransformerXlInputs inputs() const {
    return {.query = query, .key = key, .u = u, .v = v, .relative_keys = relative_keys};
  }
};

TEST(TransformerXlKeys, ProjectTheSinusoidOfEachDistance) {
  for (const std::size_t dim : {1, 2, 5, 8}) {
    for (const double memory : {0.0, 3.0, 1000.0}) {
      for (const double clamp : {kInfinity, 1.0, 2.0}) {
        const AttentionShape shape{.heads = 2, .kv_heads = 2, .query_length = 3, .key_length = 6, .head_dim = 3};
        Random random(2);
        const std::vector<float> projection = random.floats(dim * 6);
        std::vector<float> keys(9 * 6);
        std::vector<double> scratch(dim + 6);
        ASSERT_EQ(transformer_xl_keys(keys, projection, frequencies(dim), shape, dim, memory, clamp, scratch),
                  Status::Ok);
        for (std::size_t r = 0; r < 9; ++r) {
          const double distance = std::clamp(memory + 3 - static_cast<double>(r), -clamp, clamp);
          const std::vector<double> expected = reference::projected_sinusoid(distance, projection, dim, 6);
          for (std::size_t c = 0; c < 6; ++c) EXPECT_NEAR(keys[r * 6 + c], expected[c], 1e-6) << r << ", " << c;
        }
      }
    }
  }
}

TEST(TransformerXlScores, FollowTheFormulaForEveryShape) {
  for (const TensorFormat format : {TensorFormat::Bshd, TensorFormat::Bhsd}) {
    for (const std::size_t head_dim : {1, 3, 4, 9}) {
      for (const std::size_t queries : {1, 4}) {
        for (const std::size_t keys : {1, 4, 7}) {
          for (const double memory : {0.0, 3.0, 50.0}) {
            for (const bool causal : {false, true}) {
              const AttentionShape shape{.batch = 2,
                                         .heads = 4,
                                         .kv_heads = 2,
                                         .query_length = queries,
                                         .key_length = keys,
                                         .head_dim = head_dim,
                                         .format = format};
              const Problem problem(shape);
              const TransformerXlRule rule{.memory_length = memory, .causal = causal};
              std::vector<float> scores(2 * 4 * queries * keys, kUntouched);
              std::vector<float> scratch(2 * head_dim);
              ASSERT_EQ(transformer_xl_scores(scores, problem.inputs(), shape, rule, scratch), Status::Ok);
              const auto relative_key = [&](double distance) {
                const auto row = static_cast<std::size_t>(memory + static_cast<double>(queries) - distance);
                const float* from = problem.relative_keys.data() + row * 4 * head_dim;
                return std::vector<double>(from, from + 4 * head_dim);
              };
              const auto expected = reference::transformer_xl_scores(problem.inputs(), shape, rule, relative_key);
              for (std::size_t n = 0; n < scores.size(); ++n) {
                if (std::isinf(expected[n])) {
                  EXPECT_EQ(static_cast<double>(scores[n]), expected[n]) << n;
                } else {
                  EXPECT_NEAR(scores[n], expected[n], 1e-6 * (1 + std::abs(expected[n]))) << n;
                }
              }
            }
          }
        }
      }
    }
  }
}

TEST(TransformerXl, RefusesBadInputAndLeavesTheOutputAlone) {
  const AttentionShape shape{.heads = 2, .kv_heads = 2, .query_length = 3, .key_length = 5, .head_dim = 4};
  const Problem problem(shape);
  std::vector<float> scores(30, kUntouched);
  std::vector<float> keys(64, kUntouched);
  std::vector<double> scratch(14);
  std::vector<float> two_rows(8);
  const std::vector<float> projection(48);
  const auto score = [&](const TransformerXlInputs& in, const AttentionShape& s, double memory) {
    return transformer_xl_scores(scores, in, s, {.memory_length = memory}, two_rows);
  };
  const auto project = [&](const AttentionShape& s, std::size_t dim, double memory, double clamp) {
    return transformer_xl_keys(keys, projection, frequencies(6), s, dim, memory, clamp, scratch);
  };
  for (auto size : {&AttentionShape::batch, &AttentionShape::heads, &AttentionShape::kv_heads,
                    &AttentionShape::query_length, &AttentionShape::key_length, &AttentionShape::head_dim}) {
    AttentionShape spoilt = shape;
    spoilt.*size = 0;
    EXPECT_EQ(score(problem.inputs(), spoilt, 2), Status::BadShape);
    EXPECT_EQ(project(spoilt, 6, 2, kInfinity), Status::BadShape);
    spoilt.*size = 3 * (shape.*size);
    EXPECT_NE(score(problem.inputs(), spoilt, 2), Status::Ok);
    spoilt.*size = kTooLarge - 1;
    EXPECT_EQ(score(problem.inputs(), spoilt, 2), Status::BadShape);
  }
  for (auto tensor : {&TransformerXlInputs::query, &TransformerXlInputs::key, &TransformerXlInputs::u,
                      &TransformerXlInputs::v, &TransformerXlInputs::relative_keys}) {
    TransformerXlInputs inputs = problem.inputs();
    inputs.*tensor = (inputs.*tensor).first((inputs.*tensor).size() - 1);
    EXPECT_EQ(score(inputs, shape, 2), Status::WrongLength);
  }
  for (const double bad : {-1.0, 0.5, kNaN, 2147483649.0}) {
    EXPECT_EQ(score(problem.inputs(), shape, bad), Status::OutOfRange);
    EXPECT_EQ(project(shape, 6, bad, kInfinity), Status::OutOfRange);
  }
  for (const double bad : {0.0, -1.0, 2.5, kNaN}) EXPECT_EQ(project(shape, 6, 2, bad), Status::OutOfRange);
  EXPECT_EQ(project(shape, 0, 2, kInfinity), Status::BadShape);
  EXPECT_EQ(project(shape, 5, 2, kInfinity), Status::WrongLength);
  EXPECT_EQ(project(shape, kTooLarge, 2, kInfinity), Status::BadShape);
  const std::vector<double> not_finite = {1, kNaN, 1};
  EXPECT_EQ(transformer_xl_keys(keys, projection, not_finite, shape, 6, 2, kInfinity, scratch), Status::NotFinite);
  EXPECT_EQ(transformer_xl_scores(scores, problem.inputs(), shape, {}, std::span(two_rows).first(7)),
            Status::WrongLength);
  const auto short_scratch = std::span(scratch).first(13);
  EXPECT_EQ(transformer_xl_keys(keys, projection, frequencies(6), shape, 6, 2, kInfinity, short_scratch),
            Status::WrongLength);
  EXPECT_EQ(scores, std::vector<float>(30, kUntouched));
  EXPECT_EQ(keys, std::vector<float>(64, kUntouched));
}

}  // namespace
}  // namespace posenc
