#include "core/relative/shaw.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "cpp/numbers.hpp"
#include "cpp/relative/term_problem.hpp"
#include "reference/shaw.hpp"

namespace posenc {
namespace {

/// Random tables for a shape.
struct Tables {
  std::size_t clip;
  std::vector<float> key, value;

  Tables(const AttentionShape& shape, std::size_t most) : clip(most) {
    Random random(2);
    key = random.floats((2 * clip + 1) * shape.head_dim);
    value = random.floats((2 * clip + 1) * shape.value_dim);
  }

  [[nodiscard]] ShawTerm term(bool with_values = true) const {
    return {key, with_values ? std::span<const float>(value) : std::span<const float>(), clip};
  }
};

TEST(ShawTerm, FollowsTheFormulasInAttention) {
  for_each_term_problem([](const TermProblem& problem) {
    const AttentionShape& shape = problem.shape;
    for (const std::size_t clip : {0, 1, 5, 700}) {
      const Tables tables(shape, clip);
      const auto row = [&](std::size_t i, std::size_t j) {
        return reference::shaw_row(static_cast<long>(problem.distance(i, j)), clip);
      };
      const auto product = [&](std::size_t b, std::size_t h, std::size_t i, std::size_t j) {
        return dot_sum(problem.query_row(b, h, i), nullptr, &tables.key[row(i, j) * shape.head_dim], shape.head_dim);
      };
      const auto value = [&](std::size_t i, std::size_t j, std::size_t c) {
        return double{tables.value[row(i, j) * shape.value_dim + c]};
      };
      AttentionInputs in = problem.inputs();
      const ShawTerm both = tables.term();
      in.relative_term = &both;
      expect_term(problem, in, {.product = product, .value = value});
      const ShawTerm keys_only = tables.term(false);
      in.relative_term = &keys_only;
      expect_term(problem, in, {.product = product});
      if (testing::Test::HasFatalFailure()) return;
    }
  });
}

TEST(ShawTerm, KeepsANaNInTheRowsThatAttendToIt) {
  const AttentionShape shape{
      .heads = 1, .kv_heads = 1, .query_length = 40, .key_length = 40, .head_dim = 3, .value_dim = 2};
  const TermProblem problem(shape, {.query_start = 0, .causal = true});
  // Rows for keys after the query, which no query sees, and for those that are three and more before it.
  for (const bool of_past : {false, true}) {
    Tables tables(shape, 3);
    const std::size_t bad = of_past ? 0 : 5;
    for (std::size_t c = 0; c < 2; ++c) tables.value[bad * 2 + c] = std::numeric_limits<float>::quiet_NaN();
    for (std::size_t c = 0; c < 3; ++c) tables.key[bad * 3 + c] = std::numeric_limits<float>::quiet_NaN();
    AttentionInputs in = problem.inputs();
    const ShawTerm term = tables.term();
    in.relative_term = &term;
    std::vector<float> out;
    ASSERT_EQ(problem.run(in, AttentionResult::Output, out), Status::Ok);
    for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(std::isfinite(out[i * 2]), !of_past || i < 3) << i;
  }
}

TEST(ShawTerm, IsRefusedWhereItDoesNotFit) {
  const TermProblem problem(
      {.heads = 2, .kv_heads = 2, .query_length = 3, .key_length = 5, .head_dim = 4, .value_dim = 2});
  const Tables tables(problem.shape, 2);
  const std::span<const float> key(tables.key), value(tables.value);
  const auto expect = [&](const ShawTerm& term, Status status) {
    AttentionInputs in = problem.inputs();
    in.relative_term = &term;
    expect_refused(problem, in, status);
  };
  expect({key.first(19), value, 2}, Status::WrongLength);
  expect({key, value.first(9), 2}, Status::WrongLength);
  expect({{}, value, 2}, Status::WrongLength);
  expect({key, value, 3}, Status::WrongLength);
  for (const std::size_t clip : {kTooLarge, kTooLarge / 2, ShawTerm::kMaxClip + 1}) {
    expect({key, value, clip}, Status::BadShape);
  }
}

}  // namespace
}  // namespace posenc
