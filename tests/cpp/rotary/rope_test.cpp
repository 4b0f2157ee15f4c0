#include "core/rotary/rope.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "cpp/numbers.hpp"
#include "reference/angles.hpp"
#include "reference/rope.hpp"

namespace posenc {
namespace {

using Rows = std::vector<std::uint32_t>;

std::size_t size_of(RopeShape s) { return s.batch * s.length * s.heads * s.head_dim; }

struct Tables {
  std::vector<float> cos, sin;

  /// Any numbers: the rotation does not ask for cos^2 + sin^2 = 1.
  static Tables any(std::size_t rows, std::size_t pairs, Random& random) {
    return {random.floats(rows * pairs), random.floats(rows * pairs)};
  }
  static Tables of(const std::vector<double>& inv_freq, Positions positions, double factor = 1) {
    Tables t{std::vector<float>(positions.length * inv_freq.size()),
             std::vector<float>(positions.length * inv_freq.size())};
    EXPECT_EQ(rope_table(t.cos, t.sin, inv_freq, positions, factor), Status::Ok);
    return t;
  }
};

/// Rotates and compares with the reference, token by token.
void expect_matches_reference(RopeShape shape, const Tables& tables, const Rows& rows, Direction direction,
                              Random& random) {
  const auto x = random.floats(size_of(shape));
  auto y = x;
  ASSERT_EQ(rope_rotate(y, y, tables.cos, tables.sin, rows, shape, direction), Status::Ok);
  std::vector<float> apart(x.size());
  ASSERT_EQ(rope_rotate(apart, x, tables.cos, tables.sin, rows, shape, direction), Status::Ok);
  EXPECT_EQ(apart, y);
  const std::size_t pairs = shape.rotary_dim / 2;
  for (std::size_t b = 0; b < shape.batch; ++b) {
    for (std::size_t t = 0; t < shape.length; ++t) {
      std::size_t row = t;
      if (!rows.empty()) row = rows.size() == shape.length ? rows[t] : rows[b * shape.length + t];
      const float* const cos = &tables.cos[row * pairs];
      std::vector<float> sin(&tables.sin[row * pairs], &tables.sin[row * pairs] + pairs);
      for (float& s : sin) s = direction == Direction::Inverse ? -s : s;
      for (std::size_t h = 0; h < shape.heads; ++h) {
        const std::size_t at = reference::head_offset(shape.format, b, shape.heads, h, shape.length, t, shape.head_dim);
        const auto expected =
            reference::rotated(&x[at], shape.head_dim, cos, sin.data(), shape.rotary_dim, shape.pairing);
        for (std::size_t c = 0; c < shape.head_dim; ++c) {
          // |a cos| + |b sin| <= 2 for numbers in [-1, 1]; channels that pass through stay as they are
          const double bound = c < shape.rotary_dim ? 0x1p-22 : 0;
          EXPECT_NEAR(y[at + c], expected[c], bound) << b << ", " << t << ", " << h << ", " << c;
        }
      }
    }
  }
}

TEST(RopeRotate, MatchesReferenceForEveryTailLength) {
  Random random(1);
  for (const Pairing pairing : {Pairing::Half, Pairing::Interleaved}) {
    for (std::size_t pairs = 1; pairs <= 33; ++pairs) {
      const RopeShape shape{
          .length = 2, .heads = 2, .head_dim = 2 * pairs, .rotary_dim = 2 * pairs, .pairing = pairing};
      expect_matches_reference(shape, Tables::any(2, pairs, random), {}, Direction::Forward, random);
      expect_matches_reference(shape, Tables::any(2, pairs, random), {}, Direction::Inverse, random);
    }
  }
}

TEST(RopeRotate, MatchesReferenceInBothFormatsAndPartialWidths) {
  Random random(2);
  for (const TensorFormat format : {TensorFormat::Bshd, TensorFormat::Bhsd}) {
    for (const Pairing pairing : {Pairing::Half, Pairing::Interleaved}) {
      for (const std::size_t rotary_dim : {std::size_t{2}, std::size_t{6}, std::size_t{10}}) {
        const RopeShape shape{.batch = 2,
                              .length = 35,  // more than one tile of tokens
                              .heads = 3,
                              .head_dim = 11,
                              .rotary_dim = rotary_dim,
                              .format = format,
                              .pairing = pairing};
        expect_matches_reference(shape, Tables::any(40, rotary_dim / 2, random), {}, Direction::Forward, random);
        Rows per_token, per_batch;
        for (std::size_t t = 0; t < 35; ++t) per_token.push_back(static_cast<std::uint32_t>(random.whole(0, 39)));
        for (std::size_t t = 0; t < 70; ++t) per_batch.push_back(static_cast<std::uint32_t>(random.whole(0, 39)));
        for (const Rows& rows : {per_token, per_batch}) {
          expect_matches_reference(shape, Tables::any(40, rotary_dim / 2, random), rows, Direction::Forward, random);
        }
      }
    }
  }
}

TEST(RopeRotate, TurnsCounterClockwise) {
  for (const Pairing pairing : {Pairing::Half, Pairing::Interleaved}) {
    std::vector<float> x = {0, 1};
    const std::vector<float> cos = {0.6F}, sin = {0.8F};
    ASSERT_EQ(
        rope_rotate(x, x, cos, sin, {}, {.length = 1, .heads = 1, .head_dim = 2, .rotary_dim = 2, .pairing = pairing},
                    Direction::Forward),
        Status::Ok);
    EXPECT_EQ(x, (std::vector<float>{-0.8F, 0.6F}));
  }
}

TEST(RopeRotate, KeepsNormsAndComesBackByTheInverse) {
  Random random(3);
  const auto inv_freq = reference::frequencies(64);
  const auto tables = Tables::of(inv_freq, {.length = 50, .start = 100000});
  for (const Pairing pairing : {Pairing::Half, Pairing::Interleaved}) {
    const RopeShape shape{.length = 50, .heads = 2, .head_dim = 64, .rotary_dim = 64, .pairing = pairing};
    const auto x = random.floats(size_of(shape));
    auto y = x;
    ASSERT_EQ(rope_rotate(y, y, tables.cos, tables.sin, {}, shape, Direction::Forward), Status::Ok);
    for (std::size_t head = 0; head < 100; ++head) {
      double before = 0, after = 0;
      for (std::size_t c = 0; c < 64; ++c) {
        before += double{x[head * 64 + c]} * double{x[head * 64 + c]};
        after += double{y[head * 64 + c]} * double{y[head * 64 + c]};
      }
      EXPECT_NEAR(after, before, 1e-6 * before);
    }
    ASSERT_EQ(rope_rotate(y, y, tables.cos, tables.sin, {}, shape, Direction::Inverse), Status::Ok);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(y[i], x[i], 4e-7);
  }
}

TEST(RopeRotate, ScoresDependOnTheDistanceOnlyAndOnThePairing) {
  const auto inv_freq = reference::frequencies(4);
  const auto score = [&](double m, double n, Pairing pairing) {
    std::vector<float> q = {1, 2, 3, 4}, k = {4, 3, 2, 1};
    const RopeShape shape{.length = 1, .heads = 1, .head_dim = 4, .rotary_dim = 4, .pairing = pairing};
    const auto at_m = Tables::of(inv_freq, {.length = 1, .start = m});
    const auto at_n = Tables::of(inv_freq, {.length = 1, .start = n});
    EXPECT_EQ(rope_rotate(q, q, at_m.cos, at_m.sin, {}, shape, Direction::Forward), Status::Ok);
    EXPECT_EQ(rope_rotate(k, k, at_n.cos, at_n.sin, {}, shape, Direction::Forward), Status::Ok);
    double sum = 0;
    for (std::size_t c = 0; c < 4; ++c) sum += double{q[c]} * double{k[c]};
    return sum;
  };
  for (const double shift : {0.0, 5.0, 100.0, 1e9}) {
    EXPECT_NEAR(score(shift, shift + 2, Pairing::Interleaved), 10.483012168789427, 1e-5);
    EXPECT_NEAR(score(shift, shift + 2, Pairing::Half), 15.129492636384501, 1e-5);
  }
}

TEST(RopeTable, MultipliesByTheAttentionFactor) {
  const auto tables = Tables::of(reference::frequencies(8), {.length = 3, .start = 7}, 1.25);
  for (std::size_t i = 0; i < tables.cos.size(); ++i) {
    const auto exact = reference::cos_sin(7 + static_cast<double>(i / 4), reference::frequencies(8)[i % 4]);
    EXPECT_LE(ulps(tables.cos[i], 1.25 * exact.cos), 0.51);
    EXPECT_LE(ulps(tables.sin[i], 1.25 * exact.sin), 0.51);
  }
}

TEST(RopeRotate, RefusesBadInputAndLeavesTheTensorAlone) {
  std::vector<float> x(24, -7.0F);
  const std::vector<float> cos(6, 0.5F), sin(6, 0.5F), short_sin(4, 0.5F);
  const RopeShape good{.length = 3, .heads = 2, .head_dim = 4, .rotary_dim = 4};
  const auto call = [&](auto change, const Rows& rows = {}) {
    RopeShape shape = good;
    change(shape);
    return rope_rotate(x, x, cos, sin, rows, shape, Direction::Forward);
  };
  EXPECT_EQ(call([](RopeShape& s) { s.rotary_dim = 3; }), Status::OddDimension);
  EXPECT_EQ(call([](RopeShape& s) { s.rotary_dim = 0; }), Status::BadShape);
  EXPECT_EQ(call([](RopeShape& s) { s.rotary_dim = 6; }), Status::BadShape);
  EXPECT_EQ(call([](RopeShape& s) { s.batch = 0; }), Status::BadShape);
  EXPECT_EQ(call([](RopeShape& s) { s.length = 0; }), Status::BadShape);
  EXPECT_EQ(call([](RopeShape& s) { s.heads = 0; }), Status::BadShape);
  EXPECT_EQ(call([](RopeShape& s) { s.batch = 2; }), Status::WrongLength);
  EXPECT_EQ(call([](RopeShape& s) { s = {.length = 6, .heads = 1, .head_dim = 4, .rotary_dim = 4}; }),
            Status::WrongLength);                                                            // a table of three rows
  EXPECT_EQ(call([](RopeShape& s) { s.length = kTooLarge / 8 + 4; }), Status::WrongLength);  // wraps to 24
  EXPECT_EQ(call([](RopeShape&) {}, {0, 1}), Status::WrongLength);
  EXPECT_EQ(call([](RopeShape&) {}, {0, 1, 3}), Status::OutOfRange);
  EXPECT_EQ(rope_rotate(x, x, cos, short_sin, {}, good, Direction::Forward), Status::WrongLength);
  std::vector<float> short_out(x.size() - 1);
  EXPECT_EQ(rope_rotate(short_out, x, cos, sin, {}, good, Direction::Forward), Status::WrongLength);
  EXPECT_EQ(rope_rotate(x, x, std::vector<float>(5), std::vector<float>(5), {}, good, Direction::Forward),
            Status::WrongLength);
  EXPECT_EQ(x, std::vector<float>(24, -7.0F));
  EXPECT_EQ(call([](RopeShape&) {}), Status::Ok);
}

}  // namespace
}  // namespace posenc
