#include "core/rotary/rope_2d.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/numeric/shape.hpp"
#include "cpp/numbers.hpp"
#include "reference/angles.hpp"
#include "reference/rope.hpp"
#include "reference/rope_2d.hpp"

namespace posenc {
namespace {

using Rows = std::vector<std::uint32_t>;

constexpr Rope2dVariant kVariants[] = {Rope2dVariant::Chatglm, Rope2dVariant::Vision, Rope2dVariant::Axial};

std::vector<double> twice(std::vector<double> inv_freq) {
  const auto once = inv_freq;
  inv_freq.insert(inv_freq.end(), once.begin(), once.end());
  return inv_freq;
}

TEST(Rope2dTable, HoldsTheAnglesOfTheRowThenThoseOfTheColumn) {
  Random random(1);
  for (const std::size_t n : {1, 2, 5, 16, 63, 64, 65, 130}) {
    const auto inv_freq = twice(reference::frequencies(2 * n));
    const std::vector<double> rows = {0, 0, 7, 2147483648}, columns = {0, 3, -1000, random.whole(-1e9, 1e9)};
    std::vector<float> cos(4 * 2 * n), sin(4 * 2 * n);
    ASSERT_EQ(rope_2d_table(cos, sin, inv_freq, rows, columns, 1.5), Status::Ok);
    for (std::size_t token = 0; token < 4; ++token) {
      for (std::size_t p = 0; p < 2 * n; ++p) {
        const auto exact = reference::cos_sin(p < n ? rows[token] : columns[token], inv_freq[p]);
        EXPECT_LE(ulps(cos[token * 2 * n + p], 1.5 * exact.cos), 0.51) << token << ", " << p;
        EXPECT_LE(ulps(sin[token * 2 * n + p], 1.5 * exact.sin), 0.51) << token << ", " << p;
      }
    }
  }
}

void expect_matches_reference(RopeShape shape, Rope2dVariant variant, Direction direction, const Rows& table_rows,
                              Random& random) {
  constexpr std::size_t kTableRows = 40;
  const std::size_t pairs = shape.rotary_dim / 2;
  const auto cos = random.floats(kTableRows * pairs), sin = random.floats(kTableRows * pairs);
  const auto x = random.floats(shape.batch * shape.length * shape.heads * shape.head_dim);
  auto y = x;
  ASSERT_EQ(rope_2d_rotate(y, y, cos, sin, table_rows, shape, variant, direction), Status::Ok);
  for (std::size_t b = 0; b < shape.batch; ++b) {
    for (std::size_t t = 0; t < shape.length; ++t) {
      std::size_t row = t;
      if (!table_rows.empty()) row = table_rows[table_rows.size() == shape.length ? t : b * shape.length + t];
      for (std::size_t h = 0; h < shape.heads; ++h) {
        const std::size_t at = reference::head_offset(shape.format, b, shape.heads, h, shape.length, t, shape.head_dim);
        const auto expected = reference::rotated_2d(&x[at], shape.head_dim, &cos[row * pairs], &sin[row * pairs],
                                                    shape.rotary_dim, variant, direction);
        for (std::size_t c = 0; c < shape.head_dim; ++c) {
          const double bound = c < shape.rotary_dim ? 0x1p-22 : 0;
          EXPECT_NEAR(y[at + c], expected[c], bound) << b << ", " << t << ", " << h << ", " << c;
        }
      }
    }
  }
}

TEST(Rope2dRotate, MatchesReferenceForEveryTailLength) {
  Random random(2);
  for (const Rope2dVariant variant : kVariants) {
    for (std::size_t n = 1; n <= 17; ++n) {
      const RopeShape shape{.length = 2, .heads = 2, .head_dim = 4 * n, .rotary_dim = 4 * n};
      expect_matches_reference(shape, variant, Direction::Forward, {}, random);
      expect_matches_reference(shape, variant, Direction::Inverse, {}, random);
    }
  }
}

TEST(Rope2dRotate, MatchesReferenceInBothFormatsAndPartialWidths) {
  Random random(3);
  Rows per_token, per_batch;
  for (std::size_t t = 0; t < 35; ++t) per_token.push_back(static_cast<std::uint32_t>(random.whole(0, 39)));
  for (std::size_t t = 0; t < 70; ++t) per_batch.push_back(static_cast<std::uint32_t>(random.whole(0, 39)));
  for (const Rope2dVariant variant : kVariants) {
    for (const TensorFormat format : {TensorFormat::Bshd, TensorFormat::Bhsd}) {
      const RopeShape shape{.batch = 2, .length = 35, .heads = 3, .head_dim = 11, .rotary_dim = 8, .format = format};
      for (const Rows& rows : {Rows(), per_token, per_batch}) {
        expect_matches_reference(shape, variant, Direction::Forward, rows, random);
      }
    }
  }
}

TEST(Rope2dTable, RefusesBadInputAndLeavesTheTablesAlone) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> inv_freq = {1, 2}, positions = {0, 1, 2};
  std::vector<float> cos(6, -7), sin(6, -7), short_sin(4, -7);
  const auto call = [&](const std::vector<double>& frequencies, const std::vector<double>& rows,
                        const std::vector<double>& columns,
                        double factor = 1) { return rope_2d_table(cos, sin, frequencies, rows, columns, factor); };
  EXPECT_EQ(call({}, positions, positions), Status::BadShape);
  EXPECT_EQ(call({1, 2, 3}, positions, positions), Status::BadShape);
  EXPECT_EQ(call(inv_freq, {}, {}), Status::BadShape);
  EXPECT_EQ(call(inv_freq, positions, {0, 1}), Status::WrongLength);
  EXPECT_EQ(call(inv_freq, {0, 1}, {0, 1}), Status::WrongLength);
  EXPECT_EQ(call(inv_freq, {0, 1, 0.5}, positions), Status::OutOfRange);
  EXPECT_EQ(call(inv_freq, positions, {0, 1, kNan}), Status::OutOfRange);
  EXPECT_EQ(call({1, kNan}, positions, positions), Status::NotFinite);
  EXPECT_EQ(call(inv_freq, positions, positions, kNan), Status::NotFinite);
  EXPECT_EQ(rope_2d_table(cos, short_sin, inv_freq, positions, positions, 1), Status::WrongLength);
  EXPECT_EQ(cos, std::vector<float>(6, -7));
  EXPECT_EQ(sin, std::vector<float>(6, -7));
  EXPECT_EQ(call(inv_freq, positions, positions), Status::Ok);
}

TEST(Rope2dRotate, RefusesBadInputAndLeavesTheTensorAlone) {
  std::vector<float> x(24, -7);
  const std::vector<float> cos(6, 0.5F), sin(6, 0.5F), short_sin(4, 0.5F);
  const RopeShape good{.length = 3, .heads = 2, .head_dim = 4, .rotary_dim = 4};
  for (const Rope2dVariant variant : kVariants) {
    const auto call = [&](auto change, const Rows& rows = {}) {
      RopeShape shape = good;
      change(shape);
      return rope_2d_rotate(x, x, cos, sin, rows, shape, variant, Direction::Forward);
    };
    EXPECT_EQ(call([](RopeShape& s) { s.rotary_dim = 3; }), Status::OddDimension);
    EXPECT_EQ(call([](RopeShape& s) { s.rotary_dim = 2; }), Status::BadShape);
    EXPECT_EQ(call([](RopeShape& s) { s.rotary_dim = 8; }), Status::BadShape);
    EXPECT_EQ(call([](RopeShape& s) { s.heads = 0; }), Status::BadShape);
    EXPECT_EQ(call([](RopeShape& s) { s.batch = 2; }), Status::WrongLength);
    EXPECT_EQ(call([](RopeShape& s) { s.length = kTooLarge / 8 + 4; }), Status::WrongLength);  // wraps to 24
    EXPECT_EQ(call([](RopeShape&) {}, {0, 1}), Status::WrongLength);
    EXPECT_EQ(call([](RopeShape&) {}, {0, 1, 3}), Status::OutOfRange);
    EXPECT_EQ(rope_2d_rotate(x, x, cos, short_sin, {}, good, variant, Direction::Forward), Status::WrongLength);
  }
  EXPECT_EQ(x, std::vector<float>(24, -7));
  EXPECT_EQ(rope_2d_rotate(x, x, cos, sin, {}, good, Rope2dVariant::Chatglm, Direction::Forward), Status::Ok);
}

}  // namespace
}  // namespace posenc
