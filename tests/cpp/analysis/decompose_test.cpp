#include "core/analysis/decompose.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "core/numeric/shape.hpp"
#include "cpp/numbers.hpp"
#include "reference/matrix.hpp"

namespace posenc {
namespace {

using reference::Matrix;

struct Case {
  DecomposeShape shape;
  std::vector<float> x, p, wq, wk;
  std::array<std::vector<float>, 4> terms;

  Case(DecomposeShape s, bool weights) : shape(s) {
    Random random(s.length * 100 + s.dim);
    x = random.floats(s.length * s.dim);
    p = random.floats(s.length * s.dim);
    if (weights) wq = random.floats(s.dim * s.projected);
    if (weights) wk = random.floats(s.dim * s.projected);
    for (auto& term : terms) term.assign(s.length * s.length, -7.0F);
  }
  Status run(std::size_t missing_scratch = 0) {
    std::vector<double> scratch(decompose_scratch(shape) - missing_scratch);
    return decompose({terms[0], terms[1], terms[2], terms[3]}, x, p, wq, wk, scratch, shape);
  }
};

TEST(Decompose, MatchesReferenceWithAndWithoutWeights) {
  for (const bool weights : {false, true}) {
    for (std::size_t dim = 1; dim <= 9; ++dim) {
      Case c({.length = 6, .dim = dim, .projected = weights ? 5 : dim}, weights);
      ASSERT_EQ(c.run(), Status::Ok);
      const Matrix x = Matrix::of(6, dim, c.x), p = Matrix::of(6, dim, c.p);
      const auto query = [&](const Matrix& m) { return weights ? m.times(Matrix::of(dim, 5, c.wq)) : m; };
      const auto key = [&](const Matrix& m) { return (weights ? m.times(Matrix::of(dim, 5, c.wk)) : m).transposed(); };
      const std::array expected = {query(x).times(key(x)), query(p).times(key(x)), query(x).times(key(p)),
                                   query(p).times(key(p))};
      for (std::size_t term = 0; term < 4; ++term) {
        for (std::size_t i = 0; i < 36; ++i) {
          EXPECT_LE(ulps(c.terms[term][i], expected[term].values[i]), 0.51) << term << ", " << i;
        }
      }
    }
  }
}

TEST(Decompose, AddsUpToTheWholeScore) {
  Case c({.length = 4, .dim = 8, .projected = 5}, true);
  ASSERT_EQ(c.run(), Status::Ok);
  std::vector<double> sum(c.x.size());
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = double{c.x[i]} + double{c.p[i]};
  const Matrix tokens = Matrix::of(4, 8, sum);
  const Matrix whole = tokens.times(Matrix::of(8, 5, c.wq)).times(tokens.times(Matrix::of(8, 5, c.wk)).transposed());
  for (std::size_t i = 0; i < 16; ++i) {
    const double added = double{c.terms[0][i]} + double{c.terms[1][i]} + double{c.terms[2][i]} + double{c.terms[3][i]};
    EXPECT_NEAR(added, whole.values[i], 1e-5);
  }
}

TEST(Decompose, RefusesBadShapesAndLeavesTheTermsAlone) {
  const auto refused = [](DecomposeShape shape, bool weights, DecomposeShape asked) {
    Case c(shape, weights);
    c.shape = asked;
    std::vector<double> scratch(1000);
    const Status status =
        decompose({c.terms[0], c.terms[1], c.terms[2], c.terms[3]}, c.x, c.p, c.wq, c.wk, scratch, asked);
    for (const auto& term : c.terms) EXPECT_EQ(term, std::vector<float>(term.size(), -7.0F));
    return status;
  };
  const DecomposeShape shape{.length = 4, .dim = 6, .projected = 6};
  EXPECT_EQ(refused(shape, false, {.length = 0, .dim = 6, .projected = 6}), Status::BadShape);
  EXPECT_EQ(refused(shape, false, {.length = 4, .dim = 0, .projected = 6}), Status::BadShape);
  EXPECT_EQ(refused(shape, false, {.length = 4, .dim = 6, .projected = 0}), Status::BadShape);
  EXPECT_EQ(refused(shape, false, {.length = 4, .dim = 6, .projected = 5}), Status::BadShape);  // no weights
  EXPECT_EQ(refused(shape, true, {.length = 4, .dim = 6, .projected = 5}), Status::WrongLength);
  EXPECT_EQ(refused(shape, true, {.length = 3, .dim = 8, .projected = 6}), Status::WrongLength);
  EXPECT_EQ(refused(shape, false, {.length = kTooLarge / 2 + 13, .dim = 2, .projected = 2}), Status::WrongLength);
  EXPECT_EQ(Case(shape, true).run(1), Status::WrongLength);
}

}  // namespace
}  // namespace posenc
