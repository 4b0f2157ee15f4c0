#include "core/rotary/axis_table.hpp"

#include <array>

#include "core/numeric/phase.hpp"

namespace posenc {

void fill_axis(std::span<float> cos, std::span<float> sin, std::span<const double> inv_freq, PairRange range,
               std::span<const double> positions, double scale) noexcept {
  const std::size_t pairs = inv_freq.size();
  std::array<double, AngleBlock::kPairs> frequencies, block_cos, block_sin;
  for (std::size_t first = range.first; first < range.end; first += AngleBlock::kPairs * range.step) {
    std::size_t count = 0;
    for (std::size_t pair = first; pair < range.end && count < AngleBlock::kPairs; pair += range.step) {
      frequencies[count++] = inv_freq[pair];
    }
    const AngleBlock angles(std::span(frequencies).first(count));
    for (std::size_t row = 0; row < positions.size(); ++row) {
      const bool same = row != 0 && positions[row] == positions[row - 1];  // patches of an image share rows
      if (!same) angles.relative_cos_sin(positions[row], block_cos, block_sin);
      for (std::size_t p = 0; p < count; ++p) {
        const std::size_t to = row * pairs + first + p * range.step;
        cos[to] = static_cast<float>(block_cos[p] * scale);
        sin[to] = static_cast<float>(block_sin[p] * scale);
      }
    }
  }
}

}  // namespace posenc
