#include "core/relative/distance_bias.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/attention/attention.hpp"
#include "cpp/relative/term_problem.hpp"

namespace posenc {
namespace {

TEST(DistanceBias, GoesFromItsFirstDistanceDown) {
  TermProblem problem({.heads = 2, .kv_heads = 2, .query_length = 2, .key_length = 3, .head_dim = 1, .value_dim = 1});
  problem.query.assign(4, 0);
  const std::vector<float> values{1, 2, 4, 8, 16, 3, 6, 12, 24, 48};
  const DistanceBias bias(values, 2);  // of the distances 2 to -2
  AttentionInputs in = problem.inputs();
  in.bias_term = &bias;
  std::vector<float> scores;
  ASSERT_EQ(problem.run(in, AttentionResult::Scores, scores), Status::Ok);
  EXPECT_EQ(scores, (std::vector<float>{4, 8, 16, 2, 4, 8, 12, 24, 48, 6, 12, 24}));
}

TEST(DistanceBias, IsRefusedWhereADistanceHasNone) {
  const TermProblem problem(
      {.heads = 2, .kv_heads = 2, .query_length = 2, .key_length = 3, .head_dim = 1, .value_dim = 1});
  const std::vector<float> values(10);
  const auto expect = [&](std::size_t size, std::int64_t first, Status status) {
    const DistanceBias bias(std::span(values).first(size), first);
    AttentionInputs in = problem.inputs();
    in.bias_term = &bias;
    expect_refused(problem, in, status);
  };
  expect(0, 1, Status::WrongLength);
  expect(9, 1, Status::WrongLength);
  expect(6, 1, Status::OutOfRange);
  expect(8, 0, Status::OutOfRange);
  expect(8, 2, Status::OutOfRange);
}

}  // namespace
}  // namespace posenc
