#include "core/analysis/similarity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/numeric/shape.hpp"
#include "cpp/numbers.hpp"
#include "reference/matrix.hpp"

namespace posenc {
namespace {

using reference::Matrix;

TEST(Similarity, MatchesReferenceForEveryWidthAndAcrossTiles) {
  for (const std::size_t rows : {std::size_t{1}, std::size_t{7}, std::size_t{70}}) {
    for (std::size_t dim = 1; dim <= 11; ++dim) {
      Random random(rows + dim);
      const auto table = random.floats(rows * dim);
      const Matrix t = Matrix::of(rows, dim, table);
      const Matrix products = t.times(t.transposed());
      std::vector<float> out(rows * rows);
      ASSERT_EQ(similarity(out, table, rows, dim), Status::Ok);
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < rows; ++j) {
          const double exact = products(i, j) / std::sqrt(products(i, i) * products(j, j));
          EXPECT_NEAR(out[i * rows + j], exact, 0.51 * 0x1p-24 + 1e-15);
          EXPECT_EQ(out[i * rows + j], out[j * rows + i]);
        }
      }
    }
  }
}

TEST(Similarity, OfARowOfZerosIsZero) {
  const std::vector<float> table = {0, 0, 3, 4};
  std::vector<float> out(4);
  ASSERT_EQ(similarity(out, table, 2, 2), Status::Ok);
  EXPECT_EQ(out, (std::vector<float>{0, 0, 0, 1}));
}

TEST(Similarity, RefusesBadShapesAndLeavesTheOutputAlone) {
  const std::vector<float> table(6);
  std::vector<float> out(4, -7.0F);
  EXPECT_EQ(similarity(out, table, 0, 3), Status::BadShape);
  EXPECT_EQ(similarity(out, table, 2, 0), Status::BadShape);
  EXPECT_EQ(similarity(out, table, 3, 2), Status::WrongLength);
  EXPECT_EQ(similarity(out, table, 2, 2), Status::WrongLength);
  EXPECT_EQ(similarity(out, table, kTooLarge / 2 + 4, 2), Status::WrongLength);  // wraps to 6
  EXPECT_EQ(out, std::vector<float>(4, -7.0F));
}

}  // namespace
}  // namespace posenc
