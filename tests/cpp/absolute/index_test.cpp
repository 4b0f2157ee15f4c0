#include "core/absolute/index.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace posenc {
namespace {

std::vector<float> encode(std::size_t length, IndexMode mode) {
  std::vector<float> out(length);
  EXPECT_EQ(index_encoding(out, mode), Status::Ok);
  return out;
}

TEST(IndexEncoding, CountsTokens) { EXPECT_EQ(encode(4, IndexMode::Integer), (std::vector<float>{0, 1, 2, 3})); }

TEST(IndexEncoding, SpansTheUnitInterval) {
  EXPECT_EQ(encode(5, IndexMode::Unit), (std::vector<float>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(encode(1, IndexMode::Unit), (std::vector<float>{0}));
}

TEST(IndexEncoding, DividesByTheLength) {
  EXPECT_EQ(encode(4, IndexMode::Fraction), (std::vector<float>{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(encode(1, IndexMode::Fraction), (std::vector<float>{0}));
}

TEST(IndexEncoding, GivesATokenAnotherCodeInALongerText) {
  EXPECT_FLOAT_EQ(encode(10, IndexMode::Unit)[5], 0.55555556F);
  EXPECT_FLOAT_EQ(encode(20, IndexMode::Unit)[5], 0.26315789F);
}

TEST(IndexEncoding, RefusesAnEmptyText) { EXPECT_EQ(index_encoding({}, IndexMode::Integer), Status::BadShape); }

}  // namespace
}  // namespace posenc
