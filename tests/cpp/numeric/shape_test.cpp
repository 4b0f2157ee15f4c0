#include "core/numeric/shape.hpp"

#include <gtest/gtest.h>

namespace posenc {
namespace {

TEST(Product, MultipliesSizes) {
  EXPECT_EQ(product({}), 1U);
  EXPECT_EQ(product({3, 4, 5}), 60U);
  EXPECT_EQ(product({kTooLarge}), kTooLarge);
}

TEST(Product, IsZeroWithAnyZeroEvenBesideHugeSizes) { EXPECT_EQ(product({kTooLarge, 2, 0}), 0U); }

TEST(Product, ReportsWhatDoesNotFitInsteadOfWrapping) {
  const std::size_t half = kTooLarge / 2 + 1;  // twice this wraps to zero
  EXPECT_EQ(product({half, 2}), kTooLarge);
  EXPECT_EQ(product({half, half, 4}), kTooLarge);
}

TEST(TensorStrides, PlacesTheLastTokenOfTheLastHeadAtTheEnd) {
  for (const TensorFormat format : {TensorFormat::Bshd, TensorFormat::Bhsd}) {
    const auto strides = TensorStrides::of(format, 3, 5, 7);
    EXPECT_EQ(strides.batch, 3U * 5U * 7U);
    EXPECT_EQ(2 * strides.head + 4 * strides.token + 7, strides.batch);
  }
  EXPECT_EQ(TensorStrides::of(TensorFormat::Bshd, 3, 5, 7).token, 21U);
  EXPECT_EQ(TensorStrides::of(TensorFormat::Bhsd, 3, 5, 7).token, 7U);
}

}  // namespace
}  // namespace posenc
