#include "core/absolute/one_hot.hpp"

#include <algorithm>

#include "core/numeric/check.hpp"
#include "core/numeric/shape.hpp"

namespace posenc {

Status one_hot(std::span<float> out, std::span<const double> positions, std::size_t max_length) noexcept {
  if (positions.empty() || max_length == 0) return Status::BadShape;
  if (product({positions.size(), max_length}) != out.size()) return Status::WrongLength;
  if (!all_rows(positions, max_length)) return Status::OutOfRange;

  std::ranges::fill(out, 0.0F);
  for (std::size_t row = 0; row < positions.size(); ++row) {
    out[row * max_length + static_cast<std::size_t>(positions[row])] = 1;
  }
  return Status::Ok;
}

}  // namespace posenc
