#include "sinusoidal_2d.hpp"

#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "phase.hpp"
#include "shape.hpp"

namespace posenc {
namespace {

/// Where the sines and cosines of one coordinate stand: those of frequency p at sin + p * step and cos + p * step.
struct Columns {
  std::size_t sin;
  std::size_t cos;
  std::size_t step;

  static Columns of(AngleLayout layout, std::size_t pairs) noexcept {
    switch (layout) {
      case AngleLayout::SinThenCos:
        return {0, pairs, 1};
      case AngleLayout::CosThenSin:
        return {pairs, 0, 1};
      default:
        return {0, 1, 2};
    }
  }
};

bool in_range(std::span<const double> coordinates) noexcept {
  return std::ranges::all_of(coordinates, [](double x) { return std::abs(x) <= kMaxPosition; });
}

/// Fills the half of every row that belongs to one coordinate.
void fill_half(float* to, std::size_t stride, std::span<const double> inv_freq, std::span<const double> coordinates,
               Columns columns) noexcept {
  const std::size_t pairs = inv_freq.size();
  for (std::size_t row = 0; row < coordinates.size(); ++row, to += stride) {
    if (row != 0 && coordinates[row] == coordinates[row - 1]) {  // cells of a grid share a row
      std::copy_n(to - stride, 2 * pairs, to);
      continue;
    }
    for (std::size_t p = 0; p < pairs; ++p) {
      const CosSin angle = cos_sin_of_real(coordinates[row], inv_freq[p]);
      to[columns.sin + p * columns.step] = static_cast<float>(angle.sin);
      to[columns.cos + p * columns.step] = static_cast<float>(angle.cos);
    }
  }
}

}  // namespace

Status sinusoidal_2d(std::span<float> out, std::span<const double> inv_freq, std::span<const double> first,
                     std::span<const double> second, AngleLayout layout) noexcept {
  const std::size_t pairs = inv_freq.size();
  if (pairs == 0 || first.empty()) return Status::BadShape;
  if (first.size() != second.size() || product({first.size(), 4, pairs}) != out.size()) return Status::WrongLength;
  if (!in_range(first) || !in_range(second)) return Status::OutOfRange;
  if (const Status status = check_frequencies(inv_freq); status != Status::Ok) return status;

  const Columns columns = Columns::of(layout, pairs);
  fill_half(out.data(), 4 * pairs, inv_freq, first, columns);
  fill_half(out.data() + 2 * pairs, 4 * pairs, inv_freq, second, columns);
  return Status::Ok;
}

}  // namespace posenc
