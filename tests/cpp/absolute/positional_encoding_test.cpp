#include "core/absolute/positional_encoding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/numeric/shape.hpp"
#include "cpp/numbers.hpp"

namespace posenc {
namespace {

TEST(PositionalEncoding, AddsTheSameTableToEverySequence) {
  for (std::size_t dim = 1; dim <= 9; ++dim) {
    const PositionalEncodingShape shape{.batch = 3, .length = 5, .dim = dim};
    Random random(dim);
    const auto x = random.floats(15 * dim), table = random.floats(5 * dim);
    std::vector<float> out(x.size());
    ASSERT_EQ(positional_encoding(out, x, table, shape, 0, 1), Status::Ok);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(out[i], x[i] + table[i % table.size()]) << i;
  }
}

TEST(PositionalEncoding, WorksInPlace) {
  std::vector<float> x = {1, 2, 3, 4, 5, 6};
  const std::vector<float> table = {10, 20, 30, 40, 50, 60};
  ASSERT_EQ(positional_encoding(x, x, table, {.length = 2, .dim = 3}, 0, 1), Status::Ok);
  EXPECT_EQ(x, (std::vector<float>{11, 22, 33, 44, 55, 66}));
}

TEST(PositionalEncoding, DropsAndScalesAsOftenAsAsked) {
  const PositionalEncodingShape shape{.batch = 10, .length = 100, .dim = 100};
  const std::vector<float> x(100000, 0.75F), table(10000, 0.25F);
  for (const double dropout : {0.05, 0.5, 0.9}) {
    std::vector<float> out(x.size());
    ASSERT_EQ(positional_encoding(out, x, table, shape, dropout, 42), Status::Ok);
    const auto dropped = static_cast<double>(std::ranges::count(out, 0.0F));
    const double spread = std::sqrt(100000 * dropout * (1 - dropout));
    EXPECT_NEAR(dropped, 100000 * dropout, 5 * spread);
    for (const float value : out) {
      if (value != 0) {
        EXPECT_EQ(value, static_cast<float>(1 / (1 - dropout)));
      }
    }
  }
}

TEST(PositionalEncoding, DropsTheSameElementsForTheSameSeedOnly) {
  const PositionalEncodingShape shape{.length = 10, .dim = 100};
  const std::vector<float> x(1000, 1.0F), table(1000, 1.0F);
  const auto run = [&](std::uint64_t seed) {
    std::vector<float> out(x.size());
    EXPECT_EQ(positional_encoding(out, x, table, shape, 0.5, seed), Status::Ok);
    return out;
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
}

TEST(PositionalEncoding, RefusesBadInputAndLeavesTheOutputAlone) {
  const std::vector<float> x(6), table(6);
  std::vector<float> out(6, -7.0F);
  const auto call = [&](PositionalEncodingShape shape, double dropout) {
    return positional_encoding(out, x, table, shape, dropout, 0);
  };
  for (const double bad : {-0.1, 1.0, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(call({.length = 2, .dim = 3}, bad), Status::OutOfRange) << bad;
  }
  EXPECT_EQ(call({.batch = 0, .length = 2, .dim = 3}, 0), Status::BadShape);
  EXPECT_EQ(call({.length = 0, .dim = 3}, 0), Status::BadShape);
  EXPECT_EQ(call({.length = 2, .dim = 0}, 0), Status::BadShape);
  EXPECT_EQ(call({.length = 2, .dim = 4}, 0), Status::WrongLength);
  EXPECT_EQ(call({.batch = 2, .length = 1, .dim = 3}, 0), Status::WrongLength);                  // of the table
  EXPECT_EQ(call({.batch = 2, .length = kTooLarge / 2 + 4, .dim = 1}, 0), Status::WrongLength);  // wraps to 6
  EXPECT_EQ(out, std::vector<float>(6, -7.0F));
}

}  // namespace
}  // namespace posenc
