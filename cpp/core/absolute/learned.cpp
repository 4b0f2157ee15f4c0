#include "core/absolute/learned.hpp"

#include <algorithm>

#include "core/numeric/check.hpp"
#include "core/numeric/shape.hpp"

namespace posenc {

Status learned(std::span<float> out, std::span<const float> table, std::span<const double> positions, std::size_t rows,
               std::size_t dim, double offset) noexcept {
  if (positions.empty() || rows == 0 || dim == 0) return Status::BadShape;
  if (product({rows, dim}) != table.size()) return Status::WrongLength;
  if (product({positions.size(), dim}) != out.size()) return Status::WrongLength;
  const bool in_table = std::ranges::all_of(positions, [=](double p) { return is_row(p + offset, rows); });
  if (!in_table) return Status::OutOfRange;

  for (std::size_t r = 0; r < positions.size(); ++r) {
    const auto row = static_cast<std::size_t>(positions[r] + offset);
    std::ranges::copy(table.subspan(row * dim, dim), out.begin() + static_cast<std::ptrdiff_t>(r * dim));
  }
  return Status::Ok;
}

}  // namespace posenc
