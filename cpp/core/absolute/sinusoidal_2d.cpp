#include "core/absolute/sinusoidal_2d.hpp"

#include <algorithm>
#include <cmath>

#include "core/numeric/check.hpp"
#include "core/numeric/phase.hpp"
#include "core/numeric/shape.hpp"

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
  // Cells of a grid have the row of the cell before them, or the column of the cell above them: `width` cells before.
  std::size_t width = 1;
  for (std::size_t row = 0; row < coordinates.size(); ++row, to += stride) {
    const auto repeats = [&](std::size_t lag) { return row >= lag && coordinates[row] == coordinates[row - lag]; };
    if (width == 1 && row != 0 && repeats(row) && !repeats(1)) width = row;
    if (const std::size_t lag = repeats(1) ? 1 : width; repeats(lag)) {
      std::copy_n(to - lag * stride, 2 * pairs, to);
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
