#include "core/rotary/mrope.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <vector>

#include "core/numeric/shape.hpp"
#include "core/rotary/rope.hpp"
#include "cpp/numbers.hpp"
#include "reference/angles.hpp"
#include "reference/mrope.hpp"

namespace posenc {
namespace {

constexpr MropeOrder kOrders[] = {MropeOrder::Chunked, MropeOrder::Interleaved};

struct Tables {
  std::vector<float> cos, sin;

  static Tables of(const std::vector<double>& inv_freq, const std::vector<double>& positions, MropeSections sections,
                   MropeOrder order, double factor = 1) {
    const std::size_t size = positions.size() / 3 * inv_freq.size();
    Tables t{std::vector<float>(size), std::vector<float>(size)};
    EXPECT_EQ(mrope_table(t.cos, t.sin, inv_freq, positions, sections, order, factor), Status::Ok);
    return t;
  }
};

void expect_matches_reference(MropeSections sections, MropeOrder order, const std::vector<double>& positions,
                              double factor = 1) {
  const std::size_t pairs = sections[0] + sections[1] + sections[2], length = positions.size() / 3;
  const auto inv_freq = reference::frequencies(2 * pairs, 1e6);
  const auto tables = Tables::of(inv_freq, positions, sections, order, factor);
  for (std::size_t row = 0; row < length; ++row) {
    for (std::size_t p = 0; p < pairs; ++p) {
      const double position = positions[reference::mrope_axis(p, sections, order) * length + row];
      const auto exact = reference::cos_sin(position, inv_freq[p]);
      EXPECT_LE(ulps(tables.cos[row * pairs + p], factor * exact.cos), 0.51) << position << ", " << p;
      EXPECT_LE(ulps(tables.sin[row * pairs + p], factor * exact.sin), 0.51) << position << ", " << p;
    }
  }
}

TEST(MropeTable, MatchesReferenceForManySections) {
  Random random(1);
  const std::vector<MropeSections> many = {{16, 24, 24}, {24, 20, 20}, {2, 3, 3},   {4, 2, 2},   {1, 0, 0}, {0, 1, 0},
                                           {0, 0, 1},    {0, 5, 0},    {1, 9, 1},   {3, 1, 7},   {5, 3, 2}, {1, 1, 2},
                                           {67, 67, 66}, {200, 0, 0},  {0, 0, 200}, {0, 200, 0}, {2, 0, 0}};
  for (const MropeSections& sections : many) {
    for (const MropeOrder order : kOrders) {
      std::vector<double> positions(3 * 4);
      for (double& position : positions) position = random.whole(-100000, 100000);
      positions[2] = positions[3];  // a position that repeats
      expect_matches_reference(sections, order, positions, 1.25);
    }
  }
}

TEST(MropeTable, IsExactAtTheLargestPositions) {
  for (const MropeOrder order : kOrders) {
    expect_matches_reference({16, 24, 24}, order, {2147483648, 0, 1, 2147483647, -2147483648, 131071});
  }
}

TEST(MropeTable, EqualsTheTableOfRopeForText) {
  const auto inv_freq = reference::frequencies(128, 1e6);
  const std::vector<double> line = {5, 6, 7, 8};
  std::vector<double> positions;
  for (int axis = 0; axis < 3; ++axis) positions.insert(positions.end(), line.begin(), line.end());
  std::vector<float> cos(4 * 64), sin(4 * 64);
  ASSERT_EQ(rope_table(cos, sin, inv_freq, {.length = 4, .start = 5}, 1), Status::Ok);
  for (const MropeOrder order : kOrders) {
    const auto tables = Tables::of(inv_freq, positions, {16, 24, 24}, order);
    for (std::size_t i = 0; i < cos.size(); ++i) {
      EXPECT_FLOAT_EQ(tables.cos[i], cos[i]);
      EXPECT_FLOAT_EQ(tables.sin[i], sin[i]);
    }
  }
}

TEST(MropeTable, RefusesBadInputAndLeavesTheTablesAlone) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> inv_freq = {1, 0.1, 0.01}, good = {0, 1, 0, 1, 0, 1};
  std::vector<float> cos(6, -7), sin(6, -7), short_sin(3, -7);
  const auto call = [&](const std::vector<double>& positions, MropeSections sections = {1, 1, 1}, double factor = 1) {
    return mrope_table(cos, sin, inv_freq, positions, sections, MropeOrder::Chunked, factor);
  };
  EXPECT_EQ(call({}), Status::BadShape);
  EXPECT_EQ(call({0, 1, 0, 1, 0}), Status::WrongLength);
  EXPECT_EQ(call({0, 0, 0}), Status::WrongLength);
  EXPECT_EQ(call({0, 1, 0, 1, 0, 0.5}), Status::OutOfRange);
  EXPECT_EQ(call({0, 1, 0, 1, 0, kNan}), Status::OutOfRange);
  EXPECT_EQ(call({0, 1, 0, 1, 0, 2147483649}), Status::OutOfRange);
  EXPECT_EQ(call(good, {1, 1, 2}), Status::BadShape);
  EXPECT_EQ(call(good, {1, 1, 0}), Status::BadShape);
  EXPECT_EQ(call(good, {kTooLarge, 2, 2}), Status::BadShape);  // wraps to 3
  EXPECT_EQ(call(good, {2, kTooLarge, 2}), Status::BadShape);
  EXPECT_EQ(call(good, {1, 1, 1}, kNan), Status::NotFinite);
  const MropeSections sections = {1, 1, 1};
  EXPECT_EQ(mrope_table(cos, short_sin, inv_freq, good, sections, MropeOrder::Interleaved, 1), Status::WrongLength);
  EXPECT_EQ(mrope_table({}, {}, {}, good, {0, 0, 0}, MropeOrder::Chunked, 1), Status::BadShape);
  EXPECT_EQ(mrope_table(cos, sin, std::vector<double>{1, kNan, 1}, good, sections, MropeOrder::Chunked, 1),
            Status::NotFinite);
  EXPECT_EQ(cos, std::vector<float>(6, -7));
  EXPECT_EQ(sin, std::vector<float>(6, -7));
  EXPECT_EQ(call(good), Status::Ok);
}

}  // namespace
}  // namespace posenc
