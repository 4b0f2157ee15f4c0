#include "core/analysis/similarity.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/numeric/dot.hpp"
#include "core/numeric/shape.hpp"

namespace posenc {
namespace {

// Rows that meet each other while they stay in the cache.
constexpr std::size_t kTile = 32;

/// 1 / |row|, and 0 for a row of zeros.
std::array<double, kTile> inverse_norms(std::span<const float> table, std::size_t dim, std::size_t first,
                                        std::size_t end) noexcept {
  std::array<double, kTile> norms{};
  for (std::size_t r = first; r < end; ++r) {
    const float* const row = table.data() + r * dim;
    const double square = dot(row, row, dim);
    norms[r - first] = square > 0 ? 1 / std::sqrt(square) : 0;
  }
  return norms;
}

}  // namespace

Status similarity(std::span<float> out, std::span<const float> table, std::size_t rows, std::size_t dim) noexcept {
  if (rows == 0 || dim == 0) return Status::BadShape;
  if (product({rows, dim}) != table.size() || product({rows, rows}) != out.size()) return Status::WrongLength;

  for (std::size_t i0 = 0; i0 < rows; i0 += kTile) {
    const std::size_t i1 = std::min(i0 + kTile, rows);
    const auto norms_i = inverse_norms(table, dim, i0, i1);
    for (std::size_t j0 = i0; j0 < rows; j0 += kTile) {
      const std::size_t j1 = std::min(j0 + kTile, rows);
      const auto norms_j = inverse_norms(table, dim, j0, j1);
      for (std::size_t i = i0; i < i1; ++i) {
        for (std::size_t j = std::max(i, j0); j < j1; ++j) {
          const double inner = dot(table.data() + i * dim, table.data() + j * dim, dim);
          const auto cosine = static_cast<float>(inner * norms_i[i - i0] * norms_j[j - j0]);
          out[i * rows + j] = cosine;
          out[j * rows + i] = cosine;
        }
      }
    }
  }
  return Status::Ok;
}

}  // namespace posenc
