#pragma once

#include <cstddef>
#include <vector>

namespace posenc::reference {

/// [rows, columns], row-major.
struct Matrix {
  std::size_t rows;
  std::size_t columns;
  std::vector<double> values;

  [[nodiscard]] double operator()(std::size_t r, std::size_t c) const { return values[r * columns + c]; }

  template <class Container>
  static Matrix of(std::size_t rows, std::size_t columns, const Container& values) {
    return {rows, columns, std::vector<double>(values.begin(), values.end())};
  }

  [[nodiscard]] Matrix times(const Matrix& other) const {
    Matrix product{rows, other.columns, std::vector<double>(rows * other.columns)};
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < other.columns; ++c) {
        for (std::size_t k = 0; k < columns; ++k) product.values[r * other.columns + c] += (*this)(r, k) * other(k, c);
      }
    }
    return product;
  }

  [[nodiscard]] Matrix transposed() const {
    Matrix turned{columns, rows, std::vector<double>(rows * columns)};
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) turned.values[c * rows + r] = (*this)(r, c);
    }
    return turned;
  }
};

}  // namespace posenc::reference
