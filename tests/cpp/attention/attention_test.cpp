#include "core/attention/attention.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "reference/attention.hpp"

namespace posenc {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr double kOutputBound = 5e-6;  // of the largest |value|
constexpr double kWeightBound = 5e-6;
constexpr double kScoreBound = 1e-6;  // of |scale| |query| |key| + |score|

using Floats = std::vector<float>;
using Bytes = std::vector<std::uint8_t>;

/// A call of attention that owns what it is given.
struct Problem {
  AttentionShape shape;
  AttentionRule rule;
  Floats query, key, value;
  Floats bias, additive_mask, sinks;
  Bytes mask, key_valid;
  std::vector<std::uint32_t> key_lengths;
  MaskShape mask_shape;
  Floats query_cos, query_sin, key_cos, key_sin;
  std::size_t rotary_dim = 0;
  Pairing pairing = Pairing::Half;

  [[nodiscard]] AttentionInputs inputs() const {
    return {.query = query,
            .key = key,
            .value = value,
            .bias = bias,
            .additive_mask = additive_mask,
            .mask = mask,
            .mask_shape = mask_shape,
            .key_valid = key_valid,
            .key_lengths = key_lengths,
            .sinks = sinks};
  }
  [[nodiscard]] AttentionRope rope() const {
    return {.query_cos = query_cos,
            .query_sin = query_sin,
            .key_cos = key_cos,
            .key_sin = key_sin,
            .rotary_dim = rotary_dim,
            .pairing = pairing};
  }
  [[nodiscard]] std::size_t result_size(AttentionResult result) const {
    return shape.batch * shape.heads * shape.query_length *
           (result == AttentionResult::Output ? shape.value_dim : shape.key_length);
  }
  [[nodiscard]] Status run(std::span<float> out, AttentionResult result) const {
    Floats scratch(attention_scratch(shape), kNaN);
    return attention(out, inputs(), rope(), shape, rule, result, scratch);
  }
  [[nodiscard]] Floats result(AttentionResult result) const {
    Floats out(result_size(result), kNaN);
    EXPECT_EQ(run(out, result), Status::Ok);
    return out;
  }
  [[nodiscard]] Floats output() const { return result(AttentionResult::Output); }
  [[nodiscard]] reference::AttentionMatrices expected() const {
    return reference::attention(inputs(), rope(), shape, rule);
  }
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  float within(float low, float high) { return std::uniform_real_distribution<float>(low, high)(engine_); }
  bool chance(double p) { return std::bernoulli_distribution(p)(engine_); }
  Floats floats(std::size_t n, float low = -1, float high = 1) {
    Floats values(n);
    for (float& v : values) v = within(low, high);
    return values;
  }

 private:
  std::mt19937 engine_;
};

Problem plain(AttentionShape shape, unsigned seed = 1) {
  Random random(seed);
  Problem p;
  p.shape = shape;
  p.rule.scale = 1 / std::sqrt(static_cast<float>(shape.head_dim));
  p.rule.query_start = static_cast<std::int64_t>(shape.key_length) - static_cast<std::int64_t>(shape.query_length);
  p.mask_shape = {.queries = shape.query_length, .keys = shape.key_length};
  p.query = random.floats(shape.batch * shape.query_length * shape.heads * shape.head_dim);
  p.key = random.floats(shape.batch * shape.key_length * shape.kv_heads * shape.head_dim);
  p.value = random.floats(shape.batch * shape.key_length * shape.kv_heads * shape.value_dim);
  return p;
}

void fill_table(Floats& cos, Floats& sin, std::size_t rows, std::size_t pairs, Random& random) {
  cos.clear();
  sin.clear();
  for (std::size_t i = 0; i < rows * pairs; ++i) {
    const float angle = random.within(-3, 3);
    cos.push_back(std::cos(angle));
    sin.push_back(std::sin(angle));
  }
}

void rotate_queries(Problem& p, Random& random, std::size_t rotary_dim, std::size_t batches) {
  p.rotary_dim = rotary_dim;
  fill_table(p.query_cos, p.query_sin, batches * p.shape.query_length, rotary_dim / 2, random);
  p.key_cos.clear();
  p.key_sin.clear();
}

void rotate_both(Problem& p, Random& random, std::size_t rotary_dim, std::size_t batches) {
  rotate_queries(p, random, rotary_dim, batches);
  fill_table(p.key_cos, p.key_sin, batches * p.shape.key_length, rotary_dim / 2, random);
}

/// -infinity at one place in five, else a number.
Floats additive_mask(std::size_t n, Random& random) {
  Floats mask = random.floats(n);
  for (float& m : mask) m = random.chance(0.2) ? -kInfinity : m;
  return mask;
}

Bytes boolean_mask(std::size_t n, Random& random) {
  Bytes mask(n);
  for (std::uint8_t& m : mask) m = random.chance(0.7) ? 1 : 0;
  return mask;
}

struct Option {
  const char* name;
  void (*apply)(Problem&, Random&);
};

std::size_t matrix_size(const Problem& p) { return p.shape.query_length * p.shape.key_length; }
std::size_t whole_pairs(const Problem& p) { return p.shape.head_dim / 2 * 2; }

std::size_t mask_size(const Problem& p) {
  const MaskShape m = p.mask_shape;
  return m.batches * m.heads * m.queries * m.keys;
}

/// Gives the masks that there are another shape.
void reshape_masks(Problem& p, MaskShape shape, Random& random) {
  p.mask_shape = shape;
  if (!p.mask.empty()) p.mask = boolean_mask(mask_size(p), random);
  if (!p.additive_mask.empty()) p.additive_mask = additive_mask(mask_size(p), random);
}

TensorFormat key_format(const AttentionShape& shape) { return shape.key_format.value_or(shape.format); }

/// Takes keys and values, whose numbers are random, to be of the other format.
void swap_key_format(Problem& p) {
  p.shape.key_format = p.shape.format == TensorFormat::Bshd ? TensorFormat::Bhsd : TensorFormat::Bshd;
}

/// Lays keys or values apart, with NaN behind the last one of a sequence.
Floats spread(const Floats& from, const AttentionShape& shape, std::size_t dim, std::size_t capacity) {
  const bool bshd = key_format(shape) == TensorFormat::Bshd;
  const std::size_t runs = shape.batch * (bshd ? 1 : shape.kv_heads);  // of neighbouring keys
  const std::size_t width = bshd ? shape.kv_heads * dim : dim;
  Floats to(runs * capacity * width, kNaN);
  for (std::size_t run = 0; run < runs; ++run) {
    for (std::size_t i = 0; i < shape.key_length * width; ++i) {
      to[run * capacity * width + i] = from[run * shape.key_length * width + i];
    }
  }
  return to;
}

void make_room(Problem& p, std::size_t capacity) {
  p.key = spread(p.key, p.shape, p.shape.head_dim, capacity);
  p.value = spread(p.value, p.shape, p.shape.value_dim, capacity);
  p.shape.key_capacity = capacity;
}

const std::vector<Option> kOptions{
    {"causal", [](Problem& p, Random&) { p.rule.causal = true; }},
    {"start 0", [](Problem& p, Random&) { p.rule.query_start = 0; }},
    {"start before the keys", [](Problem& p, Random&) { p.rule.query_start = -2; }},
    {"left window", [](Problem& p, Random&) { p.rule.window_left = 3; }},
    {"right window", [](Problem& p, Random&) { p.rule.window_right = 1; }},
    {"scale 1", [](Problem& p, Random&) { p.rule.scale = 1; }},
    {"softcap", [](Problem& p, Random&) { p.rule.softcap = 1.5F; }},
    {"bias", [](Problem& p, Random& r) { p.bias = r.floats(p.shape.heads * matrix_size(p)); }},
    {"additive mask", [](Problem& p, Random& r) { p.additive_mask = additive_mask(mask_size(p), r); }},
    {"boolean mask", [](Problem& p, Random& r) { p.mask = boolean_mask(mask_size(p), r); }},
    {"mask per head",
     [](Problem& p, Random& r) {
       reshape_masks(p, {1, p.shape.heads, p.shape.query_length, p.shape.key_length}, r);
       p.mask = boolean_mask(mask_size(p), r);
     }},
    {"mask per batch and head",
     [](Problem& p, Random& r) {
       reshape_masks(p, {p.shape.batch, p.shape.heads, p.shape.query_length, p.shape.key_length}, r);
       p.additive_mask = additive_mask(mask_size(p), r);
     }},
    {"mask of all queries",
     [](Problem& p, Random& r) {
       reshape_masks(p, {p.shape.batch, 1, 1, p.shape.key_length}, r);
       p.mask = boolean_mask(mask_size(p), r);
     }},
    {"short mask",
     [](Problem& p, Random& r) {
       reshape_masks(p, {1, p.shape.heads, p.shape.query_length, p.shape.key_length * 2 / 3}, r);
       p.additive_mask = additive_mask(mask_size(p), r);
     }},
    {"valid keys", [](Problem& p, Random& r) { p.key_valid = boolean_mask(p.shape.key_length, r); }},
    {"valid keys per batch",
     [](Problem& p, Random& r) { p.key_valid = boolean_mask(p.shape.batch * p.shape.key_length, r); }},
    {"key lengths",
     [](Problem& p, Random&) { p.key_lengths = {static_cast<std::uint32_t>(p.shape.key_length - 1), 3}; }},
    {"no start", [](Problem& p, Random&) { p.rule.query_start.reset(); }},
    {"keys from 1000 on",
     [](Problem& p, Random&) {
       p.rule.key_start = 1000;
       if (p.rule.query_start.has_value()) *p.rule.query_start += 1000;
     }},
    {"keys moved back by 7", [](Problem& p, Random&) { p.rule.key_start -= 7; }},
    {"keys of the other format", [](Problem& p, Random&) { swap_key_format(p); }},
    {"room for more keys", [](Problem& p, Random&) { make_room(p, p.shape.key_length + 5); }},
    {"sinks", [](Problem& p, Random& r) { p.sinks = r.floats(p.shape.heads); }},
    {"rope", [](Problem& p, Random& r) { rotate_both(p, r, whole_pairs(p), 1); }},
    {"rope per batch", [](Problem& p, Random& r) { rotate_both(p, r, whole_pairs(p), p.shape.batch); }},
    {"partial rope", [](Problem& p, Random& r) { rotate_both(p, r, p.shape.head_dim / 4 * 2, 1); }},
    {"rope of queries", [](Problem& p, Random& r) { rotate_queries(p, r, whole_pairs(p), 1); }},
    {"interleaved pairs", [](Problem& p, Random&) { p.pairing = Pairing::Interleaved; }},
};

/// The greatest norm among the heads of a tensor.
double longest(const Floats& x, std::size_t head_dim) {
  double longest = 0;
  for (std::size_t i = 0; i < x.size(); i += head_dim) {
    double square = 0;
    for (std::size_t d = 0; d < head_dim; ++d) square += double{x[i + d]} * x[i + d];
    longest = std::fmax(longest, std::sqrt(square));
  }
  return longest;
}

/// Compares output, weights and scores with the oracle.
void expect_matches_reference(const Problem& p) {
  const auto expected = p.expected();
  const auto compare = [](const Floats& got, const std::vector<double>& want, auto bound, const char* what) {
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (std::isinf(want[i])) {
        ASSERT_EQ(got[i], want[i]) << what << " " << i;
      } else {
        ASSERT_NEAR(got[i], want[i], bound(want[i])) << what << " " << i;
      }
    }
  };
  float largest = 0;
  for (const float v : p.value) largest = std::fmax(largest, std::abs(v));
  const double product = std::abs(p.rule.scale) * longest(p.query, p.shape.head_dim) * longest(p.key, p.shape.head_dim);
  const auto output_bound = [=](double) { return kOutputBound * largest; };
  const auto weight_bound = [](double) { return kWeightBound; };
  const auto score_bound = [=](double score) { return kScoreBound * (product + std::abs(score)); };
  compare(p.output(), expected.output, output_bound, "output");
  compare(p.result(AttentionResult::Weights), expected.weights, weight_bound, "weight");
  compare(p.result(AttentionResult::Scores), expected.scores, score_bound, "score");
  compare(p.result(AttentionResult::Capped), expected.capped, score_bound, "capped");
  compare(p.result(AttentionResult::Scaled), expected.scaled, score_bound, "scaled");
}

TEST(Attention, MatchesReferenceForEveryTailLength) {
  const std::array<std::size_t, 10> head_dims{1, 2, 3, 4, 5, 8, 16, 64, 80, 128};
  const std::array<std::size_t, 7> value_dims{1, 3, 4, 7, 16, 33, 96};
  const std::array<std::size_t, 3> groups{1, 2, 4};
  unsigned turn = 0;  // walks through the other sizes and conventions
  for (std::size_t key_length = 1; key_length <= 33; ++key_length) {
    for (std::size_t query_length = 1; query_length <= 9; ++query_length) {
      for (const std::size_t head_dim : head_dims) {
        const std::size_t group = groups[turn % 3];
        const AttentionShape shape{.batch = 1 + turn % 2,
                                   .heads = 4,
                                   .kv_heads = 4 / group,
                                   .query_length = query_length,
                                   .key_length = key_length,
                                   .head_dim = head_dim,
                                   .value_dim = value_dims[turn % 7],
                                   .format = turn % 4 < 2 ? TensorFormat::Bshd : TensorFormat::Bhsd};
        Problem p = plain(shape, turn);
        p.rule.causal = turn % 5 < 3;
        SCOPED_TRACE(testing::Message() << key_length << " keys, " << query_length << " queries, head_dim " << head_dim
                                        << ", turn " << turn);
        expect_matches_reference(p);
        if (HasFatalFailure()) return;
        ++turn;
      }
    }
  }
}

/// Few rows (keys are read in place), several chunks of rows, several blocks of keys.
const std::vector<AttentionShape> kOptionShapes{
    {.batch = 2, .heads = 2, .kv_heads = 1, .query_length = 1, .key_length = 21, .head_dim = 6, .value_dim = 5},
    {.batch = 2, .heads = 4, .kv_heads = 2, .query_length = 11, .key_length = 19, .head_dim = 12, .value_dim = 20},
    {.batch = 2,
     .heads = 2,
     .kv_heads = 1,
     .query_length = 12,
     .key_length = 270,
     .head_dim = 6,
     .value_dim = 4,
     .format = TensorFormat::Bhsd},
};

TEST(Attention, MatchesReferenceForEveryPairOfOptions) {
  for (const AttentionShape& shape : {kOptionShapes[0], kOptionShapes[1]}) {
    for (std::size_t a = 0; a < kOptions.size(); ++a) {
      for (std::size_t b = a; b < kOptions.size(); ++b) {
        Random random(static_cast<unsigned>(a * kOptions.size() + b));
        Problem p = plain(shape);
        kOptions[a].apply(p, random);
        if (b != a) kOptions[b].apply(p, random);
        SCOPED_TRACE(testing::Message() << kOptions[a].name << ", " << kOptions[b].name << ", " << shape.key_length
                                        << " keys");
        expect_matches_reference(p);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Attention, MatchesReferenceForManyOptionsTogether) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    Random random(seed);
    Problem p = plain(kOptionShapes[seed % kOptionShapes.size()], seed);
    std::string names;
    for (const Option& option : kOptions) {
      if (!random.chance(0.4)) continue;
      option.apply(p, random);
      names += std::string(option.name) + ", ";
    }
    SCOPED_TRACE(testing::Message() << names << "seed " << seed);
    expect_matches_reference(p);
    if (HasFatalFailure()) return;
  }
}

TEST(Attention, MatchesReferenceAroundBlockBorders) {
  for (const std::size_t keys : {240, 241, 255, 256, 257, 513}) {
    for (const std::size_t queries : {2, 9, 129}) {
      for (const bool causal : {false, true}) {
        Problem p = plain(
            {.heads = 2, .kv_heads = 1, .query_length = queries, .key_length = keys, .head_dim = 4, .value_dim = 18});
        p.rule.causal = causal;
        p.rule.window_left = causal ? 250 : kUnbounded;
        SCOPED_TRACE(testing::Message() << keys << " keys, " << queries << " queries, causal " << causal);
        expect_matches_reference(p);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Attention, StaysWithinTwoTenthsOfAMillionthAt8HeadsOf512) {
  Problem p =
      plain({.heads = 8, .kv_heads = 8, .query_length = 512, .key_length = 512, .head_dim = 64, .value_dim = 64}, 3);
  p.rule.causal = true;
  const Floats output = p.output();
  const auto expected = p.expected().output;
  double worst = 0;
  for (std::size_t i = 0; i < output.size(); ++i) worst = std::fmax(worst, std::abs(output[i] - expected[i]));
  EXPECT_LE(worst, 2e-7);
}

// Small cases whose values follow by hand.

Problem one_head(std::size_t queries, std::size_t keys, Floats query, Floats key, Floats value) {
  Problem p;
  p.shape = {.heads = 1,
             .kv_heads = 1,
             .query_length = queries,
             .key_length = keys,
             .head_dim = query.size() / queries,
             .value_dim = value.size() / keys};
  p.mask_shape = {.queries = queries, .keys = keys};
  p.rule.query_start = 0;
  p.query = std::move(query);
  p.key = std::move(key);
  p.value = std::move(value);
  return p;
}

void expect_near(const Floats& got, const std::vector<double>& want, double bound = 1e-6) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], bound) << i;
}

TEST(Attention, AveragesTheValuesOfEqualScores) {
  const Problem p = one_head(1, 3, {0}, {5, -7, 9}, {1, 2, 6});
  EXPECT_EQ(p.output(), Floats({3}));
  EXPECT_EQ(p.result(AttentionResult::Scores), Floats({0, 0, 0}));
}

TEST(Attention, WeighsByExponentialsOfScores) {
  // Scores ln 1, ln 2, ln 5 weigh 1/8, 2/8, 5/8.
  const Problem p = one_head(1, 3, {1}, {0, std::log(2.0F), std::log(5.0F)}, {8, 16, 80});
  expect_near(p.result(AttentionResult::Weights), {0.125, 0.25, 0.625});
  expect_near(p.output(), {55}, 1e-4);
}

TEST(Attention, CausalQueriesSeeUpToThemselves) {
  Problem p = one_head(2, 3, {0, 0}, {0, 0, 0}, {1, 3, 8});
  p.rule.causal = true;
  p.rule.query_start = 1;  // the queries are tokens 1 and 2
  EXPECT_EQ(p.output(), Floats({2, 4}));
  p.rule.query_start = 0;  // tokens 0 and 1
  EXPECT_EQ(p.output(), Floats({1, 2}));
}

TEST(Attention, WindowsCountFromTheQuery) {
  Problem p = one_head(1, 5, {0}, {0, 0, 0, 0, 0}, {1, 2, 4, 8, 16});
  p.rule.query_start = 2;
  p.rule.window_left = 1;
  EXPECT_EQ(p.output(), Floats({(2 + 4 + 8 + 16) / 4.0F}));
  p.rule.window_right = 1;
  EXPECT_NEAR(p.output()[0], (2 + 4 + 8) / 3.0, 1e-6);
  p.rule.window_right = 0;
  EXPECT_EQ(p.output(), Floats({(2 + 4) / 2.0F}));
}

TEST(Attention, GroupsAreConsecutiveHeads) {
  Problem p;
  p.shape = {.heads = 4, .kv_heads = 2, .query_length = 1, .key_length = 1, .head_dim = 1, .value_dim = 1};
  p.query = {0, 0, 0, 0};
  p.key = {0, 0};
  p.value = {7, 9};
  EXPECT_EQ(p.output(), Floats({7, 7, 9, 9}));
}

TEST(Attention, OrderIsScaleSoftcapBias) {
  Problem p = one_head(1, 1, {3}, {4}, {1});
  p.rule.scale = 0.5F;
  p.rule.softcap = 2;
  p.bias = {10};
  p.additive_mask = {100};
  expect_near(p.result(AttentionResult::Scores), {2 * std::tanh(3.0) + 110}, 1e-5);
}

TEST(Attention, RopeTurnsQueryAndKey) {
  // A quarter turn sends (a, b) to (-b, a): the key (1, 2) becomes (-2, 1).
  Problem p = one_head(1, 1, {3, 4, 5, 6}, {1, 10, 2, 20}, {0});
  p.rotary_dim = 4;
  p.query_cos = {1, 1};
  p.query_sin = {0, 0};
  p.key_cos = {0, 1};
  p.key_sin = {1, 0};
  EXPECT_EQ(p.result(AttentionResult::Scores), Floats({3 * -2 + 4 * 10 + 5 * 1 + 6 * 20}));
  p.pairing = Pairing::Interleaved;  // (1, 10) becomes (-10, 1)
  EXPECT_EQ(p.result(AttentionResult::Scores), Floats({3 * -10 + 4 * 1 + 5 * 2 + 6 * 20}));
}

TEST(Attention, ASinkTakesWeightAndGivesNothing) {
  Problem p = one_head(1, 1, {0}, {0}, {6});
  p.sinks = {std::log(2.0F)};
  expect_near(p.result(AttentionResult::Weights), {1.0 / 3});
  expect_near(p.output(), {2}, 1e-5);
}

// Properties.

TEST(Attention, DecodingTokenByTokenEqualsTheFullCausalPass) {
  constexpr std::size_t kLength = 150;
  const AttentionShape shape{
      .heads = 4, .kv_heads = 2, .query_length = kLength, .key_length = kLength, .head_dim = 16, .value_dim = 12};
  Random random(5);
  Problem whole = plain(shape);
  whole.rule.causal = true;
  whole.rule.window_left = 140;
  rotate_both(whole, random, 16, 1);
  const Floats expected = whole.output();
  const std::size_t query_row = shape.heads * shape.head_dim;
  const std::size_t output_row = shape.heads * shape.value_dim;
  for (std::size_t t = 0; t < kLength; ++t) {
    Problem step = whole;
    step.shape.query_length = 1;
    step.shape.key_length = t + 1;
    step.rule.query_start = static_cast<std::int64_t>(t);
    const auto row = [&](const Floats& from, std::size_t size) {
      return Floats(from.begin() + static_cast<std::ptrdiff_t>(t * size),
                    from.begin() + static_cast<std::ptrdiff_t>((t + 1) * size));
    };
    step.query = row(whole.query, query_row);
    step.query_cos = row(whole.query_cos, 8);
    step.query_sin = row(whole.query_sin, 8);
    step.key.resize((t + 1) * shape.kv_heads * shape.head_dim);
    step.value.resize((t + 1) * shape.kv_heads * shape.value_dim);
    step.key_cos.resize((t + 1) * 8);
    step.key_sin.resize((t + 1) * 8);
    const Floats output = step.output();
    for (std::size_t i = 0; i < output_row; ++i) {
      ASSERT_NEAR(output[i], expected[t * output_row + i], 2 * kOutputBound) << "token " << t << ", " << i;
    }
  }
}

TEST(Attention, RowsWithoutAKeyAreZero) {
  for (const AttentionShape& shape : kOptionShapes) {
    for (const bool sinks : {false, true}) {
      Problem p = plain(shape);
      p.key_valid.assign(shape.key_length, 0);
      if (sinks) p.sinks.assign(shape.heads, -1);
      for (const float v : p.output()) ASSERT_EQ(v, 0);
      for (const float w : p.result(AttentionResult::Weights)) ASSERT_EQ(w, 0);
      for (const float s : p.result(AttentionResult::Scores)) ASSERT_EQ(s, -kInfinity);
      p.key_valid.clear();
      p.rule.causal = true;
      p.rule.query_start = -static_cast<std::int64_t>(shape.query_length);
      for (const float v : p.output()) ASSERT_EQ(v, 0);
    }
  }
}

TEST(Attention, LargeLogitsStayFinite) {
  for (const float size : {60.0F, 1e4F, 1e15F}) {
    for (const AttentionShape& shape : kOptionShapes) {
      Problem p = plain(shape);
      for (float& q : p.query) q *= size;
      for (const float v : p.output()) ASSERT_LE(std::abs(v), 1.00001F);
      const Floats weights = p.result(AttentionResult::Weights);
      for (std::size_t row = 0; row < weights.size(); row += shape.key_length) {
        double sum = 0;
        for (std::size_t j = 0; j < shape.key_length; ++j) sum += weights[row + j];
        ASSERT_NEAR(sum, 1, 1e-5);
      }
    }
  }
}

TEST(Attention, LargeLogitsPickTheGreatest) {
  const Problem p = one_head(1, 3, {1000}, {1, -1, 3}, {1, 2, 4});
  EXPECT_EQ(p.output(), Floats({4}));
}

/// Rows of a bshd output with one head that hold a NaN or infinity.
std::vector<bool> broken_rows(const Problem& p) {
  const Floats output = p.output();
  std::vector<bool> broken(p.shape.query_length);
  for (std::size_t i = 0; i < output.size(); ++i) {
    if (!std::isfinite(output[i])) broken[i / p.shape.value_dim] = true;
  }
  return broken;
}

TEST(Attention, NaNReachesOnlyTheRowsThatAttendToIt) {
  for (const std::size_t length : {3, 40, 300}) {
    for (const float poison : {kNaN, kInfinity}) {
      for (const bool of_value : {false, true}) {
        Problem p = plain(
            {.heads = 1, .kv_heads = 1, .query_length = length, .key_length = length, .head_dim = 8, .value_dim = 8});
        p.rule.causal = true;
        p.rule.window_left = 20;
        const std::size_t bad = length / 2;
        if (of_value) {
          p.value[bad * 8 + 3] = poison;
        } else {
          p.key[bad * 8 + 3] = kNaN;
        }
        const std::vector<bool> broken = broken_rows(p);
        for (std::size_t i = 0; i < length; ++i) {
          ASSERT_EQ(broken[i], i >= bad && i <= bad + 20) << length << ", " << of_value << ", " << i;
        }
      }
    }
  }
}

TEST(Attention, NaNOfAQueryStaysInItsRow) {
  for (const std::size_t length : {2, 40}) {
    Problem p =
        plain({.heads = 1, .kv_heads = 1, .query_length = length, .key_length = 50, .head_dim = 8, .value_dim = 8});
    p.query[8 + 2] = kNaN;
    const std::vector<bool> broken = broken_rows(p);
    for (std::size_t i = 0; i < length; ++i) ASSERT_EQ(broken[i], i == 1) << i;
  }
}

TEST(Attention, PaddingMayHoldAnything) {
  const std::array<std::size_t, 5> padded{0, 1, 2, 17, 49};
  enum class Marked { InvalidKeys, BooleanMask, AdditiveMask };
  for (const std::size_t queries : {1, 40}) {
    for (const Marked marked : {Marked::InvalidKeys, Marked::BooleanMask, Marked::AdditiveMask}) {
      Problem p =
          plain({.heads = 2, .kv_heads = 1, .query_length = queries, .key_length = 50, .head_dim = 8, .value_dim = 8});
      if (marked == Marked::InvalidKeys) p.key_valid.assign(50, 1);
      if (marked == Marked::BooleanMask) p.mask.assign(queries * 50, 1);
      if (marked == Marked::AdditiveMask) p.additive_mask.assign(queries * 50, 0);
      for (const std::size_t key : padded) {
        if (!p.key_valid.empty()) p.key_valid[key] = 0;
        for (std::size_t i = key; i < p.mask.size(); i += 50) p.mask[i] = 0;
        for (std::size_t i = key; i < p.additive_mask.size(); i += 50) p.additive_mask[i] = -kInfinity;
      }
      const Floats clean = p.output();
      for (const std::size_t key : padded) {
        p.key[key * 8] = kNaN;
        p.value[key * 8 + 7] = kInfinity;
      }
      const Floats output = p.output();
      for (std::size_t i = 0; i < clean.size(); ++i) {
        ASSERT_NEAR(output[i], clean[i], kOutputBound) << queries << ", " << static_cast<int>(marked) << ", " << i;
      }
    }
  }
}

TEST(Attention, KeysThatASequenceDoesNotHaveMayHoldAnything) {
  for (const AttentionShape& shape : kOptionShapes) {
    Problem p = plain(shape);
    p.rule.causal = true;
    p.rule.query_start.reset();
    p.key_lengths = {static_cast<std::uint32_t>(shape.key_length - 2), static_cast<std::uint32_t>(shape.key_length)};
    make_room(p, shape.key_length + 3);
    const auto expected = p.expected().output;
    const TensorStrides keys = TensorStrides::of(shape.format, shape.kv_heads, p.shape.key_capacity, shape.head_dim);
    const TensorStrides values = TensorStrides::of(shape.format, shape.kv_heads, p.shape.key_capacity, shape.value_dim);
    for (std::size_t head = 0; head < shape.kv_heads; ++head) {
      p.key[head * keys.head + (shape.key_length - 1) * keys.token] = kNaN;
      p.value[head * values.head + (shape.key_length - 2) * values.token] = kInfinity;
    }
    const Floats output = p.output();
    for (std::size_t i = 0; i < output.size(); ++i) ASSERT_NEAR(output[i], expected[i], kOutputBound) << i;
  }
}

TEST(Attention, OnlyTheOutputNeedsValues) {
  Problem p = plain(kOptionShapes[1]);
  p.rule.softcap = 2;
  for (const auto result :
       {AttentionResult::Weights, AttentionResult::Scores, AttentionResult::Capped, AttentionResult::Scaled}) {
    const Floats with = p.result(result);
    const Floats values = std::move(p.value);
    p.value.clear();
    EXPECT_EQ(p.result(result), with);
    p.value = values;
  }
}

TEST(Attention, EachSequenceEndsAtItsLastKey) {
  // Keys of equal scores; sequence 0 has two of the four, sequence 1 all.
  Problem p;
  p.shape = {.batch = 2, .heads = 1, .kv_heads = 1, .query_length = 2, .key_length = 4, .head_dim = 1, .value_dim = 1};
  p.query = {0, 0, 0, 0};
  p.key = Floats(8, 0);
  p.value = {1, 3, 50, 60, 2, 4, 6, 12};
  p.key_lengths = {2, 4};
  p.rule.causal = true;
  EXPECT_EQ(p.output(), Floats({1, 2, 4, 6}));
  p.rule.query_start = 0;
  EXPECT_EQ(p.output(), Floats({1, 2, 2, 3}));
  p.key_lengths = {0, 1};
  EXPECT_EQ(p.output(), Floats({0, 0, 2, 2}));
}

TEST(Attention, ScaledAndCappedScoresKnowNoMask) {
  Problem p = one_head(2, 2, {3, -6}, {4, 2}, {1, 1});
  p.rule.causal = true;
  p.rule.softcap = 2;
  p.bias = {10, 10, 10, 10};
  p.mask = {0, 0, 0, 0};
  EXPECT_EQ(p.result(AttentionResult::Scaled), Floats({12, 6, -24, -12}));
  expect_near(p.result(AttentionResult::Capped),
              {2 * std::tanh(6.0), 2 * std::tanh(3.0), 2 * std::tanh(-12.0), 2 * std::tanh(-6.0)});
}

TEST(Attention, ScratchDoesNotGrowWithLength) {
  AttentionShape shape{
      .heads = 8, .kv_heads = 2, .query_length = 1000, .key_length = 1000, .head_dim = 64, .value_dim = 64};
  const std::size_t scratch = attention_scratch(shape);
  shape.query_length = 1 << 20;
  shape.key_length = 1 << 20;
  EXPECT_EQ(attention_scratch(shape), scratch);
}

// Errors.

using Tensor = Floats Problem::*;
using Size = std::size_t AttentionShape::*;

void expect_error(const Problem& p, Status status, AttentionResult result = AttentionResult::Output,
                  std::size_t extra = 0) {
  Floats out(p.result_size(result) + extra, 77);
  Floats scratch(1 << 20);
  EXPECT_EQ(attention(out, p.inputs(), p.rope(), p.shape, p.rule, result, scratch), status);
  for (const float v : out) ASSERT_EQ(v, 77);
}

Problem small() {
  return plain(
      {.batch = 2, .heads = 4, .kv_heads = 2, .query_length = 3, .key_length = 5, .head_dim = 6, .value_dim = 2});
}

TEST(AttentionErrors, WrongLengths) {
  for (const Tensor tensor : {&Problem::query, &Problem::key, &Problem::value}) {
    for (const std::ptrdiff_t change : {-1, 1}) {
      Problem p = small();
      (p.*tensor).resize((p.*tensor).size() + static_cast<std::size_t>(change));
      expect_error(p, Status::WrongLength);
    }
  }
  Problem p = small();
  p.bias.resize(4 * 15 - 1);
  expect_error(p, Status::WrongLength);
  p = small();
  p.sinks.resize(2);
  expect_error(p, Status::WrongLength);
  p = small();
  p.mask.resize(16);
  expect_error(p, Status::WrongLength);
  p = small();
  p.additive_mask.resize(4 * 15);  // but mask_shape says one for all heads
  expect_error(p, Status::WrongLength);
  p = small();
  p.key_valid.resize(3);
  expect_error(p, Status::WrongLength);
  p = small();
  p.key_lengths = {5};
  expect_error(p, Status::WrongLength);
  p = small();
  p.shape.key_capacity = 6;  // but there are keys and values for 5
  expect_error(p, Status::WrongLength);
  p = small();
  p.mask_shape = {1, 1, 1, 4};
  p.mask.resize(5);
  expect_error(p, Status::WrongLength);
  p = small();
  p.value.clear();
  expect_error(p, Status::WrongLength);
  for (const auto result : {AttentionResult::Output, AttentionResult::Weights, AttentionResult::Scores,
                            AttentionResult::Capped, AttentionResult::Scaled}) {
    expect_error(small(), Status::WrongLength, result, 1);
  }
}

TEST(AttentionErrors, ShortScratch) {
  const Problem p = small();
  Floats out(p.result_size(AttentionResult::Output), 77);
  Floats scratch(attention_scratch(p.shape) - 1);
  EXPECT_EQ(attention(out, p.inputs(), p.rope(), p.shape, p.rule, AttentionResult::Output, scratch),
            Status::WrongLength);
  for (const float v : out) ASSERT_EQ(v, 77);
}

TEST(AttentionErrors, RopeTables) {
  Random random(1);
  Problem p = small();
  rotate_both(p, random, 6, 1);
  p.rotary_dim = 5;
  expect_error(p, Status::OddDimension);
  p.rotary_dim = 8;
  expect_error(p, Status::BadShape);
  p.rotary_dim = 0;
  expect_error(p, Status::BadShape);
  p.rotary_dim = 4;
  expect_error(p, Status::WrongLength);
  for (const Tensor table : {&Problem::query_cos, &Problem::query_sin, &Problem::key_cos, &Problem::key_sin}) {
    Problem q = small();
    rotate_both(q, random, 6, 1);
    (q.*table).pop_back();
    expect_error(q, Status::WrongLength);
    (q.*table).clear();
    expect_error(q, Status::WrongLength);
  }
}

TEST(AttentionErrors, Shapes) {
  for (const Size size :
       {&AttentionShape::batch, &AttentionShape::heads, &AttentionShape::kv_heads, &AttentionShape::query_length,
        &AttentionShape::key_length, &AttentionShape::head_dim, &AttentionShape::value_dim}) {
    Problem p = small();
    p.shape.*size = 0;
    EXPECT_EQ(attention_scratch(p.shape), 0U);
    expect_error(p, Status::BadShape);
  }
  Problem p = small();
  p.shape.kv_heads = 3;
  expect_error(p, Status::BadShape);
  for (const MaskShape masks :
       {MaskShape{0, 1, 3, 5}, MaskShape{3, 1, 3, 5}, MaskShape{1, 2, 3, 5}, MaskShape{2, 3, 3, 5},
        MaskShape{1, 1, 2, 5}, MaskShape{1, 1, 0, 5}, MaskShape{1, 1, 3, 0}, MaskShape{1, 1, 3, 6}}) {
    p = small();
    p.mask_shape = masks;
    p.mask.resize(std::max<std::size_t>(1, masks.batches * masks.heads * masks.queries * masks.keys));
    expect_error(p, Status::BadShape);
  }
  p = small();
  p.shape.key_capacity = 4;
  expect_error(p, Status::BadShape);
}

TEST(AttentionErrors, Numbers) {
  for (const float bad : {kNaN, kInfinity, -kInfinity}) {
    Problem p = small();
    p.rule.scale = bad;
    expect_error(p, Status::NotFinite);
    p = small();
    p.rule.softcap = bad;
    expect_error(p, Status::NotFinite);
  }
  Problem p = small();
  p.rule.softcap = -1;
  expect_error(p, Status::OutOfRange);
  for (const std::int64_t start :
       {std::int64_t{2147483649}, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    p = small();
    p.rule.query_start = start;
    expect_error(p, Status::OutOfRange);
    p = small();
    p.rule.key_start = start;
    expect_error(p, Status::OutOfRange);
  }
  p = small();
  p.key_lengths = {5, 6};
  expect_error(p, Status::OutOfRange);
}

TEST(AttentionErrors, SizesWhoseProductsWrap) {
  // Two factors whose product is 0 in size_t, so that a bare product would equal the length of an empty span.
  constexpr std::size_t kHalf = std::size_t{1} << (std::numeric_limits<std::size_t>::digits / 2);
  AttentionShape shape{
      .heads = 1, .kv_heads = 1, .query_length = kHalf, .key_length = kHalf, .head_dim = kHalf, .value_dim = kHalf};
  Floats scratch(1000);
  EXPECT_EQ(attention({}, {}, {}, shape, {}, AttentionResult::Output, scratch), Status::BadShape);
  EXPECT_EQ(attention({}, {}, {}, shape, {}, AttentionResult::Scores, scratch), Status::BadShape);
  shape = {.heads = 1,
           .kv_heads = 1,
           .query_length = 1,
           .key_length = 1,
           .head_dim = std::numeric_limits<std::size_t>::max() / 2,
           .value_dim = 1};
  EXPECT_EQ(attention_scratch(shape), kTooLarge);

  // Each span has the length that the product would wrap to.
  const Floats one(1);
  shape = {.heads = 1, .kv_heads = 1, .query_length = 1, .key_length = 1, .head_dim = 1, .value_dim = 1};
  shape.key_capacity = kTooLarge;
  Floats out(1, 77);
  AttentionInputs inputs{.query = one, .key = one, .value = one};
  EXPECT_EQ(attention(out, inputs, {}, shape, {}, AttentionResult::Output, scratch), Status::BadShape);
  shape.key_capacity = kHalf;
  shape.batch = kHalf;
  inputs = {.query = one, .key = {}, .value = {}};
  EXPECT_EQ(attention(out, inputs, {}, shape, {}, AttentionResult::Scores, scratch), Status::WrongLength);
  inputs.query = std::span<const float>(static_cast<const float*>(nullptr), kHalf);
  EXPECT_EQ(attention(out, inputs, {}, shape, {}, AttentionResult::Scores, scratch), Status::BadShape);
  EXPECT_EQ(out, Floats({77}));
}

TEST(Attention, PlacesFarFromTheKeysAreNoTrouble) {
  Problem p = plain({.heads = 1, .kv_heads = 1, .query_length = 3, .key_length = 9, .head_dim = 4, .value_dim = 4});
  p.rule.causal = true;
  for (const std::int64_t start : {std::int64_t{2147483648}, std::int64_t{-2147483648}}) {
    p.rule.query_start = start;
    p.rule.key_start = start < 0 ? 2147483648 : 0;
    for (const std::size_t window : {std::size_t{5}, kUnbounded - 1, kUnbounded}) {
      p.rule.window_left = window;
      p.rule.window_right = window;
      expect_matches_reference(p);
    }
  }
}

}  // namespace
}  // namespace posenc
