#include "core/numeric/dot.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "cpp/numbers.hpp"

namespace posenc {
namespace {

TEST(Dot, AddsProductsInDoubleForEveryTailLength) {
  Random random(1);
  for (std::size_t n = 0; n <= 33; ++n) {
    const auto a = random.floats(n), b = random.floats(n);
    const std::vector<double> wide_a(a.begin(), a.end()), wide_b(b.begin(), b.end());
    double expected = 0;
    for (std::size_t i = 0; i < n; ++i) expected += wide_a[i] * wide_b[i];
    EXPECT_NEAR(dot(a.data(), b.data(), n), expected, 1e-14) << n;
    EXPECT_NEAR(dot(wide_a.data(), wide_b.data(), n), expected, 1e-14) << n;
  }
}

}  // namespace
}  // namespace posenc
