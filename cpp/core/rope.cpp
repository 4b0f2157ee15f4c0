#include "rope.hpp"

#include <algorithm>

#include "rotate_head.hpp"

namespace posenc {
namespace {

// Tokens whose cosines and sines stay in the first-level cache while all heads pass over them.
constexpr std::size_t kTokenTile = 32;

}  // namespace

Status rope_table(std::span<float> cos, std::span<float> sin, std::span<const double> inv_freq, Positions positions,
                  double attention_factor) noexcept {
  return cos_sin_tables(cos, sin, inv_freq, positions, attention_factor);
}

Status rope_rotate(std::span<float> x, std::span<const float> cos, std::span<const float> sin,
                   std::span<const std::uint32_t> rows, RopeShape shape, Direction direction) noexcept {
  if (shape.rotary_dim % 2 != 0) return Status::OddDimension;
  if (shape.batch == 0 || shape.length == 0 || shape.heads == 0) return Status::BadShape;
  if (shape.rotary_dim == 0 || shape.rotary_dim > shape.head_dim) return Status::BadShape;
  const std::size_t pairs = shape.rotary_dim / 2;
  if (product({shape.batch, shape.length, shape.heads, shape.head_dim}) != x.size()) return Status::WrongLength;
  if (cos.size() != sin.size() || cos.size() % pairs != 0) return Status::WrongLength;
  const std::size_t table_rows = cos.size() / pairs;
  if (rows.empty()) {
    if (table_rows < shape.length) return Status::WrongLength;
  } else if (rows.size() != shape.length && rows.size() != product({shape.batch, shape.length})) {
    return Status::WrongLength;
  } else if (!std::ranges::all_of(rows, [table_rows](std::uint32_t row) { return row < table_rows; })) {
    return Status::OutOfRange;
  }

  const auto strides = TensorStrides::of(shape.format, shape.heads, shape.length, shape.head_dim);
  const std::size_t tile = shape.format == TensorFormat::Bshd ? 1 : kTokenTile;
  for (std::size_t b = 0; b < shape.batch; ++b) {
    const auto batch_rows = rows.size() > shape.length ? rows.subspan(b * shape.length, shape.length) : rows;
    for (std::size_t first = 0; first < shape.length; first += tile) {
      const std::size_t end = std::min(first + tile, shape.length);
      for (std::size_t h = 0; h < shape.heads; ++h) {
        for (std::size_t t = first; t < end; ++t) {
          const std::size_t row = batch_rows.empty() ? t : batch_rows[t];
          float* const head = x.data() + b * strides.batch + h * strides.head + t * strides.token;
          rotate_head(head, head, cos.data() + row * pairs, sin.data() + row * pairs, shape.rotary_dim, shape.head_dim,
                      shape.pairing, direction);
        }
      }
    }
  }
  return Status::Ok;
}

}  // namespace posenc
