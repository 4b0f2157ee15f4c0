#include "core/relative/fire.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/numeric/shape.hpp"
#include "cpp/numbers.hpp"
#include "cpp/relative/term_problem.hpp"
#include "reference/fire.hpp"

namespace posenc {
namespace {

constexpr float kUntouched = -7;

/// A network from a fixed seed.
struct Network {
  Network(std::size_t heads, std::size_t width)
      : random(heads * 1000 + width),
        w1(random.floats(width)),
        b1(random.floats(width)),
        w2(random.floats(heads * width)),
        b2(random.floats(heads)) {}

  [[nodiscard]] FireNetwork view() const { return {.w1 = w1, .b1 = b1, .w2 = w2, .b2 = b2}; }

  Random random;
  std::vector<float> w1, b1, w2, b2;
};

void expect_formula(std::size_t heads, std::size_t width, BiasShape shape, FireScale scale) {
  const Network network(heads, width);
  shape.heads = heads;
  std::vector<float> out(heads * shape.query_length * shape.key_length);
  ASSERT_EQ(fire_bias(out, network.view(), scale, shape), Status::Ok);
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t i = 0; i < shape.query_length; ++i) {
      for (std::size_t j = 0; j < shape.key_length; ++j) {
        const auto expected = reference::fire(network.view(), scale, h, shape.query_start + static_cast<double>(i),
                                              shape.key_start + static_cast<double>(j));
        const double bound = (static_cast<double>(width) + 6) * std::ldexp(expected.size, -24);
        ASSERT_NEAR(out[shape.row(h, i) + j], expected.bias, bound) << h << ", " << i << ", " << j;
      }
    }
  }
}

TEST(FireBias, FollowsTheFormulaForEveryTailLength) {
  for (std::size_t keys = 1; keys <= 19; ++keys) {
    expect_formula(3, 7, {.query_length = 5, .key_length = keys}, {.c = 0.1, .threshold = 2, .epsilon = 1e-6});
  }
}

TEST(FireBias, FollowsTheFormulaForEveryWidthOfTheNetwork) {
  for (const std::size_t width : {1, 31, 32, 33, 64, 100}) {
    for (const std::size_t heads : {1, 2, 12}) {
      expect_formula(heads, width, {.query_length = 4, .key_length = 9, .query_start = 5},
                     {.c = 0.125, .threshold = 6, .epsilon = 1e-6});
    }
  }
}

TEST(FireBias, TakesEveryScaleAndPosition) {
  for (const double c : {0.0, 1.0, -0.3, 1e100, 1e-100}) {
    for (const double threshold : {0.0, 3.0, -3.0, 512.0, 1e100}) {
      for (const double epsilon : {1e-6, 1e-30, 1.0}) {
        for (const double start : {0.0, -4.0, 1e6, 2147483648.0}) {
          for (const double key_start : {0.0, 500000.0, -5.0}) {
            expect_formula(2, 5, {.query_length = 7, .key_length = 6, .query_start = start, .key_start = key_start},
                           {.c = c, .threshold = threshold, .epsilon = epsilon});
          }
        }
      }
    }
  }
}

TEST(FireBias, DependsOnTheDistanceOnlyUpToTheThreshold) {
  const Network network(2, 8);
  const FireScale scale{.c = 0.5, .threshold = 20, .epsilon = 1e-6};
  const auto at = [&](double query) {
    std::vector<float> out(2);
    const BiasShape shape{.heads = 2, .query_length = 1, .key_length = 1, .query_start = query, .key_start = query - 3};
    EXPECT_EQ(fire_bias(out, network.view(), scale, shape), Status::Ok);
    return out;
  };
  EXPECT_EQ(at(10), at(20));
  EXPECT_NE(at(20), at(21));
}

TEST(FireBias, RefusesBadInputAndLeavesTheOutputAlone) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Network network(2, 3);
  const BiasShape shape{.heads = 2, .query_length = 1, .key_length = 3};
  const FireScale scale{.c = 0.1, .threshold = 512, .epsilon = 1e-6};
  std::vector<float> out(6, kUntouched);

  for (const double bad : {kNaN, kInfinity, -kInfinity}) {
    for (const auto member : {&FireScale::c, &FireScale::threshold, &FireScale::epsilon}) {
      FireScale spoilt = scale;
      spoilt.*member = bad;
      EXPECT_EQ(fire_bias(out, network.view(), spoilt, shape), Status::NotFinite) << bad;
    }
  }
  for (const auto& [member, bad] : {std::pair(&FireScale::c, 1e101), std::pair(&FireScale::threshold, -1e101),
                                    std::pair(&FireScale::epsilon, 0.0), std::pair(&FireScale::epsilon, -1e-6)}) {
    FireScale spoilt = scale;
    spoilt.*member = bad;
    EXPECT_EQ(fire_bias(out, network.view(), spoilt, shape), Status::OutOfRange) << bad;
  }
  const std::vector<float> spoilt_weights = {1, std::numeric_limits<float>::quiet_NaN(), 1, 1, 1, 1};
  for (const auto member : {&FireNetwork::w1, &FireNetwork::b1, &FireNetwork::w2, &FireNetwork::b2}) {
    FireNetwork spoilt = network.view();
    const std::size_t size = (spoilt.*member).size();
    spoilt.*member = std::span(spoilt_weights).first(size);
    EXPECT_EQ(fire_bias(out, spoilt, scale, shape), Status::NotFinite);
    spoilt.*member = std::span(spoilt_weights).first(size - 1);
    EXPECT_EQ(fire_bias(out, spoilt, scale, shape), Status::WrongLength);
  }
  EXPECT_EQ(fire_bias(out, {}, scale, shape), Status::BadShape);
  const auto with = [&](auto member, auto value) {
    BiasShape spoilt = shape;
    spoilt.*member = value;
    return fire_bias(out, network.view(), scale, spoilt);
  };
  EXPECT_EQ(with(&BiasShape::heads, 0U), Status::BadShape);
  EXPECT_EQ(with(&BiasShape::query_length, 2U), Status::WrongLength);
  EXPECT_EQ(with(&BiasShape::key_length, kTooLarge / 2 + 4), Status::WrongLength);  // wraps to 6
  EXPECT_EQ(with(&BiasShape::query_start, 0.5), Status::OutOfRange);
  EXPECT_EQ(with(&BiasShape::key_start, 0.5), Status::OutOfRange);
  EXPECT_EQ(out, std::vector<float>(6, kUntouched));
}

TEST(FireTerm, RunsTheNetworkInAttention) {
  const Network network(6, 9);
  for_each_term_problem([&](const TermProblem& problem) {
    for (const double threshold : {4.0, -1000.0}) {
      const FireScale scale{.c = 0.3, .threshold = threshold, .epsilon = 1e-6};
      std::vector<float> numerators(problem.distances());
      ASSERT_EQ(fire_numerators(numerators, scale, static_cast<double>(problem.first_distance())), Status::Ok);
      const FireTerm term(network.view(), scale, numerators, problem.first_distance());
      AttentionInputs in = problem.inputs();
      in.bias_term = &term;
      const auto expected = [&](std::size_t, std::size_t h, std::size_t i, std::size_t j) {
        const auto first_key = static_cast<double>(problem.rule.key_start);
        const double query = first_key + problem.distance(i, 0);
        return reference::fire(network.view(), scale, h, query, first_key + static_cast<double>(j)).bias;
      };
      expect_term(problem, in, {.bias = expected});
      if (threshold > 0) continue;
      std::vector<float> bias(6 * problem.distances());  // one row, as no query is past the threshold
      ASSERT_EQ(fire_bias(bias, network.view(), scale, problem.one_row()), Status::Ok);
      expect_bias_by_distance(problem, bias, {.bias = expected});
    }
  });
}

TEST(FireTerm, IsRefusedWhereItDoesNotFit) {
  const TermProblem problem(
      {.heads = 2, .kv_heads = 2, .query_length = 3, .key_length = 5, .head_dim = 4, .value_dim = 4});
  const Network network(2, 3);
  const std::vector<float> numerators(7);
  const auto expect = [&](const FireNetwork& net, FireScale scale, std::span<const float> of, Status status) {
    const FireTerm term(net, scale, of, 2);
    AttentionInputs in = problem.inputs();
    in.bias_term = &term;
    expect_refused(problem, in, status);
  };
  const FireScale scale{.c = 0.1, .threshold = 512, .epsilon = 1e-6};
  expect(network.view(), scale, std::span(numerators).first(6), Status::OutOfRange);
  expect(Network(3, 3).view(), scale, numerators, Status::WrongLength);
  expect({}, scale, numerators, Status::BadShape);
  expect(network.view(), {.c = 0.1, .threshold = 512, .epsilon = 0}, numerators, Status::OutOfRange);

  std::vector<float> out(7, kUntouched);
  EXPECT_EQ(fire_numerators({}, scale, 2), Status::BadShape);
  EXPECT_EQ(fire_numerators(out, {.c = 0.1, .threshold = 512, .epsilon = 0}, 2), Status::OutOfRange);
  EXPECT_EQ(fire_numerators(out, scale, 0.5), Status::OutOfRange);
  EXPECT_EQ(out, std::vector<float>(7, kUntouched));
}

}  // namespace
}  // namespace posenc
