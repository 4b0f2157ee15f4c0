#include "core/relative/transformer_xl.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "cpp/numbers.hpp"
#include "cpp/relative/term_problem.hpp"
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

/// Random parameters for a shape.
struct Parameters {
  std::vector<float> u, v, relative_keys, segment_bias, segment_table;
  std::vector<std::uint32_t> query_segment, key_segment;

  Parameters(const AttentionShape& s, std::size_t sequences) {
    Random random(1);
    u = random.floats(s.heads * s.head_dim);
    v = random.floats(s.heads * s.head_dim);
    relative_keys = random.floats((s.query_length + s.key_length) * s.heads * s.head_dim);
    segment_bias = random.floats(s.heads * s.head_dim);
    segment_table = random.floats(2 * s.heads * s.head_dim);
    query_segment.resize(sequences * s.query_length);
    key_segment.resize(sequences * s.key_length);
    for (std::uint32_t& segment : query_segment) segment = static_cast<std::uint32_t>(random.whole(0, 2));
    for (std::uint32_t& segment : key_segment) segment = static_cast<std::uint32_t>(random.whole(0, 2));
  }

  [[nodiscard]] XlnetSegments segments() const {
    return {.bias = segment_bias, .table = segment_table, .query_segment = query_segment, .key_segment = key_segment};
  }
};

TEST(TransformerXlKeys, ProjectTheSinusoidOfEachDistance) {
  for (const std::size_t dim : {1, 2, 5, 8}) {
    for (const double memory : {0.0, 3.0, 1000.0, -4.0}) {
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

TEST(TransformerXlTerm, FollowsTheFormulaInAttention) {
  for_each_term_problem([](const TermProblem& problem) {
    const AttentionShape& shape = problem.shape;
    const std::size_t dim = shape.head_dim;
    const std::size_t columns = shape.heads * dim;
    const Parameters parameters(shape, shape.key_length % 2 == 0 ? 1 : shape.batch);
    const auto product = [&](std::size_t b, std::size_t h, std::size_t i, std::size_t j) {
      const std::size_t row = shape.query_length - i + j;
      return dot_sum(problem.key_row(b, h, j), nullptr, &parameters.u[h * dim], dim) +
             dot_sum(problem.query_row(b, h, i), &parameters.v[h * dim],
                     &parameters.relative_keys[row * columns + h * dim], dim);
    };
    AttentionInputs in = problem.inputs();
    const TransformerXlTerm plain(parameters.u, parameters.v, parameters.relative_keys, problem.first_query());
    in.relative_term = &plain;
    expect_term(problem, in, {.product = product});
    const auto with_segments = [&](std::size_t b, std::size_t h, std::size_t i, std::size_t j) {
      const auto segment = [&](const std::vector<std::uint32_t>& of, std::size_t length, std::size_t t) {
        return of[(of.size() == length ? 0 : b * length) + t];
      };
      const bool differ = segment(parameters.query_segment, shape.query_length, i) !=
                          segment(parameters.key_segment, shape.key_length, j);
      return product(b, h, i, j) + dot_sum(problem.query_row(b, h, i), &parameters.segment_bias[h * dim],
                                           &parameters.segment_table[(differ ? columns : 0) + h * dim], dim);
    };
    const TransformerXlTerm xlnet(parameters.u, parameters.v, parameters.relative_keys, problem.first_query(),
                                  parameters.segments());
    in.relative_term = &xlnet;
    expect_term(problem, in, {.product = with_segments});
  });
}

TEST(TransformerXlTerm, IsRefusedWhereItDoesNotFit) {
  const TermProblem problem(
      {.batch = 2, .heads = 2, .kv_heads = 2, .query_length = 3, .key_length = 5, .head_dim = 4, .value_dim = 4});
  const Parameters parameters(problem.shape, 2);
  const auto expect = [&](const std::vector<float>& u, const std::vector<float>& v, const std::vector<float>& keys,
                          XlnetSegments segments = {}) {
    const TransformerXlTerm term(u, v, keys, 0, segments);
    AttentionInputs in = problem.inputs();
    in.relative_term = &term;
    expect_refused(problem, in, Status::WrongLength);
  };
  const auto& [u, v, keys, segment_bias, segment_table, query_segment, key_segment] = parameters;
  const std::vector<float> short_one(7);
  expect(short_one, v, keys);
  expect(u, short_one, keys);
  expect(u, v, std::vector<float>(63));
  for (const std::int64_t far : {std::int64_t{1} << 33, std::numeric_limits<std::int64_t>::min()}) {
    const TransformerXlTerm term(u, v, keys, far);
    AttentionInputs in = problem.inputs();
    in.relative_term = &term;
    expect_refused(problem, in, Status::OutOfRange);
  }
  for (const auto part : {&XlnetSegments::bias, &XlnetSegments::table}) {
    XlnetSegments segments = parameters.segments();
    segments.*part = (segments.*part).first(7);
    expect(u, v, keys, segments);
  }
  for (const auto part : {&XlnetSegments::query_segment, &XlnetSegments::key_segment}) {
    XlnetSegments segments = parameters.segments();
    segments.*part = (segments.*part).first((segments.*part).size() - 1);
    expect(u, v, keys, segments);
  }
}

TEST(TransformerXlKeys, RefuseBadInputAndLeaveTheOutputAlone) {
  const AttentionShape shape{.heads = 2, .kv_heads = 2, .query_length = 3, .key_length = 5, .head_dim = 4};
  std::vector<float> keys(64, kUntouched);
  std::vector<double> scratch(14);
  const std::vector<float> projection(48);
  const auto project = [&](const AttentionShape& s, std::size_t dim, double memory, double clamp) {
    return transformer_xl_keys(keys, projection, frequencies(6), s, dim, memory, clamp, scratch);
  };
  for (auto size : {&AttentionShape::heads, &AttentionShape::query_length, &AttentionShape::key_length,
                    &AttentionShape::head_dim}) {
    AttentionShape spoilt = shape;
    spoilt.*size = 3 * (shape.*size);
    EXPECT_EQ(project(spoilt, 6, 2, kInfinity), Status::WrongLength);
    spoilt.*size = kTooLarge - 1;
    EXPECT_EQ(project(spoilt, 6, 2, kInfinity), Status::BadShape);
    spoilt.*size = 0;
    EXPECT_EQ(project(spoilt, 6, 2, kInfinity), Status::BadShape);
  }
  for (const double bad : {0.5, kNaN, 2147483649.0}) EXPECT_EQ(project(shape, 6, bad, kInfinity), Status::OutOfRange);
  for (const double bad : {0.0, -1.0, 2.5, kNaN}) EXPECT_EQ(project(shape, 6, 2, bad), Status::OutOfRange);
  EXPECT_EQ(project(shape, 0, 2, kInfinity), Status::BadShape);
  EXPECT_EQ(project(shape, 5, 2, kInfinity), Status::WrongLength);
  EXPECT_EQ(project(shape, kTooLarge, 2, kInfinity), Status::BadShape);
  const std::vector<double> not_finite = {1, kNaN, 1};
  EXPECT_EQ(transformer_xl_keys(keys, projection, not_finite, shape, 6, 2, kInfinity, scratch), Status::NotFinite);
  const auto short_scratch = std::span(scratch).first(13);
  EXPECT_EQ(transformer_xl_keys(keys, projection, frequencies(6), shape, 6, 2, kInfinity, short_scratch),
            Status::WrongLength);
  EXPECT_EQ(keys, std::vector<float>(64, kUntouched));
}

}  // namespace
}  // namespace posenc
