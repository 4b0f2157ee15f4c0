#include "core/absolute/learned.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "core/numeric/shape.hpp"

namespace posenc {
namespace {

constexpr float kUntouched = -7;
const std::vector<float> kTable = {10, 11, 20, 21, 30, 31};  // [3, 2]

TEST(Learned, TakesTheRowOfEachPosition) {
  const std::vector<double> positions = {2, 0, 0};
  std::vector<float> out(6);
  ASSERT_EQ(learned(out, kTable, positions, 3, 2, 0), Status::Ok);
  EXPECT_EQ(out, (std::vector<float>{30, 31, 10, 11, 10, 11}));
}

TEST(Learned, CountsRowsFromTheOffset) {
  const std::vector<double> positions = {0, -1};
  std::vector<float> out(4);
  ASSERT_EQ(learned(out, kTable, positions, 3, 2, 2), Status::Ok);
  EXPECT_EQ(out, (std::vector<float>{30, 31, 20, 21}));
}

TEST(Learned, HasNoEncodingPastTheTableAndLeavesTheOutputAlone) {
  std::vector<float> out(4, kUntouched);
  const auto call = [&](std::vector<double> positions, std::size_t rows, std::size_t dim, double offset) {
    return learned(out, kTable, positions, rows, dim, offset);
  };
  for (const double bad : {3.0, -1.0, 0.5, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(call({0, bad}, 3, 2, 0), Status::OutOfRange) << bad;
  }
  EXPECT_EQ(call({0, 1}, 3, 2, 2), Status::OutOfRange);
  EXPECT_EQ(call({0, 1}, 3, 2, 0.5), Status::OutOfRange);
  EXPECT_EQ(call({}, 3, 2, 0), Status::BadShape);
  EXPECT_EQ(call({0, 1}, 0, 2, 0), Status::BadShape);
  EXPECT_EQ(call({0, 1}, 3, 0, 0), Status::BadShape);
  EXPECT_EQ(call({0, 1}, 2, 2, 0), Status::WrongLength);
  EXPECT_EQ(call({0, 1, 2}, 3, 2, 0), Status::WrongLength);
  EXPECT_EQ(call({0, 1}, kTooLarge / 2 + 4, 2, 0), Status::WrongLength);  // wraps to 6
  EXPECT_EQ(out, std::vector<float>(4, kUntouched));
}

}  // namespace
}  // namespace posenc
