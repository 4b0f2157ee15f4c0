#include "core/absolute/one_hot.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "core/numeric/shape.hpp"

namespace posenc {
namespace {

constexpr float kUntouched = -7;

TEST(OneHot, SetsOneColumnOfEachRow) {
  const std::vector<double> positions = {2, 0, 2};
  std::vector<float> out(9, kUntouched);
  ASSERT_EQ(one_hot(out, positions, 3), Status::Ok);
  EXPECT_EQ(out, (std::vector<float>{0, 0, 1, 1, 0, 0, 0, 0, 1}));
}

TEST(OneHot, RefusesBadInputAndLeavesTheOutputAlone) {
  std::vector<float> out(6, kUntouched);
  const auto call = [&](std::vector<double> positions, std::size_t max_length) {
    return one_hot(out, positions, max_length);
  };
  for (const double bad : {-1.0, 3.0, 0.5, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(call({0, bad}, 3), Status::OutOfRange) << bad;
  }
  EXPECT_EQ(call({}, 3), Status::BadShape);
  EXPECT_EQ(call({0, 1}, 0), Status::BadShape);
  EXPECT_EQ(call({0, 1, 2}, 3), Status::WrongLength);
  EXPECT_EQ(call({0, 1}, kTooLarge / 2 + 4), Status::WrongLength);  // wraps to 6
  EXPECT_EQ(out, std::vector<float>(6, kUntouched));
}

}  // namespace
}  // namespace posenc
