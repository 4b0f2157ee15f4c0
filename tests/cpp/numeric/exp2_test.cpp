#include "core/numeric/exp2.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace posenc {
namespace {

TEST(Exp2, IsWithinOneUnitOfTheCLibrary) {
  for (double x = -1000; x <= 1000; x += 0.0137) {
    const double expected = std::exp2(x);
    ASSERT_LE(std::abs(exp2(x) - expected), std::ldexp(expected, -52)) << x;
  }
}

TEST(Exp2, IsExactForWholeNumbers) {
  for (int x = -1074; x <= 1000; ++x) ASSERT_EQ(exp2(x), std::ldexp(1.0, x)) << x;
}

TEST(Exp2, EndsInZero) {
  EXPECT_EQ(exp2(-1101), 0);
  EXPECT_EQ(exp2(-1e300), 0);
  EXPECT_EQ(exp2(-std::numeric_limits<double>::infinity()), 0);
}

TEST(Exp2, KeepsNaN) { EXPECT_TRUE(std::isnan(exp2(std::numeric_limits<double>::quiet_NaN()))); }

}  // namespace
}  // namespace posenc
