#include "core/rotary/mrope.hpp"

#include <algorithm>
#include <cmath>

#include "core/numeric/check.hpp"
#include "core/numeric/phase.hpp"
#include "core/numeric/shape.hpp"
#include "core/rotary/axis_table.hpp"

namespace posenc {
namespace {

constexpr std::size_t kAxes = 3;

/// Whether the sections are all pairs. None of the sums overflows.
bool cover(const MropeSections& sections, std::size_t pairs) noexcept {
  const auto [time, height, width] = sections;
  return time <= pairs && height <= pairs - time && width == pairs - time - height;
}

}  // namespace

Status mrope_table(std::span<float> cos, std::span<float> sin, std::span<const double> inv_freq,
                   std::span<const double> positions, MropeSections sections, MropeOrder order,
                   double attention_factor) noexcept {
  const std::size_t pairs = inv_freq.size();
  const std::size_t length = positions.size() / kAxes;
  if (pairs == 0 || positions.empty() || !cover(sections, pairs)) return Status::BadShape;
  if (positions.size() % kAxes != 0) return Status::WrongLength;
  if (product({length, pairs}) != cos.size() || cos.size() != sin.size()) return Status::WrongLength;
  if (!all_whole(positions, kMaxPosition)) return Status::OutOfRange;
  if (const Status status = check_frequencies(inv_freq); status != Status::Ok) return status;
  if (!std::isfinite(attention_factor)) return Status::NotFinite;

  const auto fill = [&](std::size_t axis, PairRange range) {
    fill_axis(cos, sin, inv_freq, range, positions.subspan(axis * length, length), attention_factor);
  };
  const auto [time, height, width] = sections;
  if (order == MropeOrder::Chunked) {
    fill(0, {.first = 0, .end = time});
    fill(1, {.first = time, .end = time + height});
    fill(2, {.first = time + height, .end = pairs});
  } else {
    fill(0, {.first = 0, .end = pairs});
    // A section with no room for all of its pairs in every third place goes without the others.
    const auto end_of = [pairs](std::size_t section) { return std::min(product({kAxes, section}), pairs); };
    fill(1, {.first = 1, .end = end_of(height), .step = kAxes});
    fill(2, {.first = 2, .end = end_of(width), .step = kAxes});
  }
  return Status::Ok;
}

}  // namespace posenc
