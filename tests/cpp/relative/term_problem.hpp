#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/attention/attention.hpp"
#include "core/relative/distance_bias.hpp"
#include "core/relative/relative_bias.hpp"
#include "cpp/numbers.hpp"
#include "reference/attention.hpp"

namespace posenc {

/// A call of attention in which an encoding takes part.
struct TermProblem {
  AttentionShape shape;
  AttentionRule rule;
  std::vector<float> query, key, value;

  explicit TermProblem(const AttentionShape& s, AttentionRule r = {.query_start = 0}) : shape(s), rule(r) {
    Random random(s.key_length * 100 + s.query_length);
    query = random.floats(s.batch * s.query_length * s.heads * s.head_dim);
    key = random.floats(s.batch * s.key_length * s.kv_heads * s.head_dim);
    value = random.floats(s.batch * s.key_length * s.kv_heads * s.value_dim);
  }

  [[nodiscard]] AttentionInputs inputs() const { return {.query = query, .key = key, .value = value}; }

  /// How many distances there are, and the shape of a bias for each of them: those of the last query, as if there were
  /// as many more keys as there are other queries.
  [[nodiscard]] std::size_t distances() const { return shape.query_length + shape.key_length - 1; }
  [[nodiscard]] std::int64_t first_distance() const {
    return first_query() + static_cast<std::int64_t>(shape.query_length) - 1;
  }
  [[nodiscard]] BiasShape one_row() const {
    return {.heads = shape.heads,
            .query_length = 1,
            .key_length = distances(),
            .query_start = static_cast<double>(rule.key_start + first_distance()),
            .key_start = static_cast<double>(rule.key_start)};
  }

  /// Index among the keys of the first query.
  [[nodiscard]] std::int64_t first_query() const { return *rule.query_start - rule.key_start; }
  [[nodiscard]] double distance(std::size_t i, std::size_t j) const {
    return static_cast<double>(first_query()) + static_cast<double>(i) - static_cast<double>(j);
  }
  [[nodiscard]] const float* query_row(std::size_t b, std::size_t h, std::size_t i) const {
    return &query[reference::head_offset(shape.format, b, shape.heads, h, shape.query_length, i, shape.head_dim)];
  }
  [[nodiscard]] const float* key_row(std::size_t b, std::size_t h, std::size_t j) const {
    const std::size_t kv = h / (shape.heads / shape.kv_heads);
    return &key[reference::head_offset(shape.format, b, shape.kv_heads, kv, shape.key_length, j, shape.head_dim)];
  }

  [[nodiscard]] Status run(const AttentionInputs& in, AttentionResult result, std::vector<float>& out) const {
    const std::size_t width = result == AttentionResult::Output ? shape.value_dim : shape.key_length;
    out.assign(shape.batch * shape.heads * shape.query_length * width, -7);
    std::vector<float> scratch(attention_scratch(shape), std::numeric_limits<float>::quiet_NaN());
    return attention(out, in, {}, shape, rule, result, scratch);
  }
};

/// The product of two vectors, one of them plus another.
inline double dot_sum(const float* a, const float* more, const float* b, std::size_t n) {
  double sum = 0;
  for (std::size_t c = 0; c < n; ++c) sum += (double{a[c]} + (more == nullptr ? 0 : double{more[c]})) * double{b[c]};
  return sum;
}

/// Compares every result of attention with the formulas in double, which hold the matrix of what the encoding adds.
inline void expect_term(const TermProblem& problem, const AttentionInputs& in, const reference::Terms& terms) {
  const auto expected = reference::attention(problem.inputs(), {}, problem.shape, problem.rule, terms);
  double largest_score = 1;
  for (const double score : expected.scores) {
    if (std::isfinite(score)) largest_score = std::fmax(largest_score, std::abs(score));
  }
  double largest_output = 1;
  for (const double v : expected.output) largest_output = std::fmax(largest_output, std::abs(v));
  const auto compare = [&](AttentionResult result, const std::vector<double>& want, double largest) {
    std::vector<float> got;
    ASSERT_EQ(problem.run(in, result, got), Status::Ok);
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t n = 0; n < got.size(); ++n) {
      if (std::isinf(want[n])) {
        ASSERT_EQ(got[n], want[n]) << static_cast<int>(result) << ": " << n;
      } else {
        ASSERT_NEAR(got[n], want[n], 5e-6 * largest) << static_cast<int>(result) << ": " << n;
      }
    }
  };
  compare(AttentionResult::Scores, expected.scores, largest_score);
  compare(AttentionResult::Weights, expected.weights, 1);
  compare(AttentionResult::Output, expected.output, largest_output);
}

/// The same for a bias that depends on the distance only, [heads, distances].
inline void expect_bias_by_distance(const TermProblem& problem, const std::vector<float>& values,
                                    const reference::Terms& terms) {
  const DistanceBias bias(values, problem.first_distance());
  AttentionInputs in = problem.inputs();
  in.bias_term = &bias;
  expect_term(problem, in, terms);
}

/// Calls body(problem) for every tail of the keys and of the widths, groups of heads, both formats, few queries (whose
/// keys are read in place) and several chunks of them, several blocks of keys, masks by position, and queries before
/// and past the keys.
template <class Body>
void for_each_term_problem(Body body) {
  const std::array<std::size_t, 6> query_lengths{1, 2, 5, 11, 17, 40};
  const std::array<std::size_t, 6> head_dims{1, 3, 4, 6, 8, 17};
  const std::array<std::size_t, 4> groups{1, 2, 3, 6};
  std::size_t turn = 0;  // walks through the other sizes and conventions
  const auto visit = [&](std::size_t queries, std::size_t keys) {
    const std::size_t group = groups[turn % groups.size()];
    const AttentionShape shape{.batch = 1 + turn % 2,
                               .heads = 6,
                               .kv_heads = 6 / group,
                               .query_length = queries,
                               .key_length = keys,
                               .head_dim = head_dims[turn % head_dims.size()],
                               .value_dim = head_dims[(turn + 2) % head_dims.size()],
                               .format = turn % 4 < 2 ? TensorFormat::Bshd : TensorFormat::Bhsd};
    AttentionRule rule{.scale = 0.5F,
                       .softcap = turn % 5 == 0 ? 2.0F : 0.0F,
                       .query_start = static_cast<std::int64_t>(keys) - static_cast<std::int64_t>(queries),
                       .key_start = 0,
                       .causal = turn % 3 == 0};
    if (turn % 7 < 2) rule.query_start = turn % 7 == 0 ? -3 : static_cast<std::int64_t>(keys) + 2;
    if (turn % 5 < 2) {
      rule.key_start = turn % 5 == 0 ? 100 : -7;
      *rule.query_start += rule.key_start;
    }
    if (turn % 11 < 4) rule.window_left = 6;
    if (turn % 11 < 2) rule.window_right = 2;
    SCOPED_TRACE(testing::Message() << keys << " keys, " << queries << " queries, turn " << turn);
    body(TermProblem(shape, rule));
    ++turn;
  };
  for (std::size_t keys = 1; keys <= 33; ++keys) {
    for (const std::size_t queries : query_lengths) {
      visit(queries, keys);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  for (const std::size_t keys : {255, 256, 257, 530}) {
    for (const std::size_t queries : {1, 19}) {
      visit(queries, keys);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  visit(300, 270);
}

/// Expects a term to be refused, and the result to be left alone.
inline void expect_refused(const TermProblem& problem, const AttentionInputs& in, Status status) {
  std::vector<float> out;
  EXPECT_EQ(problem.run(in, AttentionResult::Output, out), status);
  for (const float v : out) ASSERT_EQ(v, -7);
}

}  // namespace posenc
