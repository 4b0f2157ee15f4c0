#include "core/rotary/rope.hpp"

#include <algorithm>

#include "core/rotary/rotate_tensor.hpp"

namespace posenc {

Status rope_table(std::span<float> cos, std::span<float> sin, std::span<const double> inv_freq, Positions positions,
                  double attention_factor) noexcept {
  return cos_sin_tables(cos, sin, inv_freq, positions, attention_factor);
}

Status check_rotation(std::span<float> out, std::span<const float> x, std::span<const float> cos,
                      std::span<const float> sin, std::span<const std::uint32_t> rows,
                      const RopeShape& shape) noexcept {
  if (shape.rotary_dim % 2 != 0) return Status::OddDimension;
  if (shape.batch == 0 || shape.length == 0 || shape.heads == 0) return Status::BadShape;
  if (shape.rotary_dim == 0 || shape.rotary_dim > shape.head_dim) return Status::BadShape;
  const std::size_t pairs = shape.rotary_dim / 2;
  if (product({shape.batch, shape.length, shape.heads, shape.head_dim}) != x.size()) return Status::WrongLength;
  if (out.size() != x.size()) return Status::WrongLength;
  if (cos.size() != sin.size() || cos.size() % pairs != 0) return Status::WrongLength;
  const std::size_t table_rows = cos.size() / pairs;
  if (rows.empty()) return table_rows < shape.length ? Status::WrongLength : Status::Ok;
  if (rows.size() != shape.length && rows.size() != product({shape.batch, shape.length})) return Status::WrongLength;
  const bool in_table = std::ranges::all_of(rows, [table_rows](std::uint32_t row) { return row < table_rows; });
  return in_table ? Status::Ok : Status::OutOfRange;
}

Status rope_rotate(std::span<float> out, std::span<const float> x, std::span<const float> cos,
                   std::span<const float> sin, std::span<const std::uint32_t> rows, RopeShape shape,
                   Direction direction) noexcept {
  if (const Status status = check_rotation(out, x, cos, sin, rows, shape); status != Status::Ok) return status;
  for_each_series(rows, shape, [&](std::size_t offset, HeadSeries heads, std::size_t row) {
    const std::size_t first = row * (shape.rotary_dim / 2);
    rotate_heads(out.data() + offset, x.data() + offset, heads, cos.data() + first, sin.data() + first,
                 shape.rotary_dim, shape.head_dim, shape.pairing, direction);
  });
  return Status::Ok;
}

}  // namespace posenc
