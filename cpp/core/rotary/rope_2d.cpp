#include "core/rotary/rope_2d.hpp"

#include <cmath>
#include <utility>

#include "core/numeric/check.hpp"
#include "core/numeric/phase.hpp"
#include "core/numeric/shape.hpp"
#include "core/rotary/axis_table.hpp"
#include "core/rotary/rotate_tensor.hpp"

namespace posenc {

Status rope_2d_table(std::span<float> cos, std::span<float> sin, std::span<const double> inv_freq,
                     std::span<const double> rows, std::span<const double> columns, double attention_factor) noexcept {
  const std::size_t pairs = inv_freq.size();
  if (pairs == 0 || pairs % 2 != 0 || rows.empty()) return Status::BadShape;
  if (columns.size() != rows.size()) return Status::WrongLength;
  if (product({rows.size(), pairs}) != cos.size() || cos.size() != sin.size()) return Status::WrongLength;
  if (!all_whole(rows, kMaxPosition) || !all_whole(columns, kMaxPosition)) return Status::OutOfRange;
  if (const Status status = check_frequencies(inv_freq); status != Status::Ok) return status;
  if (!std::isfinite(attention_factor)) return Status::NotFinite;

  fill_axis(cos, sin, inv_freq, {.first = 0, .end = pairs / 2}, rows, attention_factor);
  fill_axis(cos, sin, inv_freq, {.first = pairs / 2, .end = pairs}, columns, attention_factor);
  return Status::Ok;
}

Status rope_2d_rotate(std::span<float> out, std::span<const float> x, std::span<const float> cos,
                      std::span<const float> sin, std::span<const std::uint32_t> table_rows, RopeShape shape,
                      Rope2dVariant variant, Direction direction) noexcept {
  if (const Status status = check_rotation(out, x, cos, sin, table_rows, shape); status != Status::Ok) return status;
  if (shape.rotary_dim % 4 != 0) return Status::BadShape;
  if (variant != Rope2dVariant::Chatglm) {
    shape.pairing = variant == Rope2dVariant::Vision ? Pairing::Half : Pairing::Interleaved;
    return rope_rotate(out, x, cos, sin, table_rows, shape, direction);
  }
  const std::size_t half = shape.rotary_dim / 2;
  for_each_series(table_rows, shape, [&](std::size_t offset, HeadSeries heads, std::size_t row) {
    // The second axis takes the channels that pass through along.
    for (const auto& [first, width] : {std::pair(std::size_t{0}, half), std::pair(half, shape.head_dim - half)}) {
      const std::size_t at = row * half + first / 2;
      rotate_heads(out.data() + offset + first, x.data() + offset + first, heads, cos.data() + at, sin.data() + at,
                   half, width, Pairing::Half, direction);
    }
  });
  return Status::Ok;
}

}  // namespace posenc
