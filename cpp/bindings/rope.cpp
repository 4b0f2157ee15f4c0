#include "core/rotary/rope.hpp"

#include <algorithm>

#include "core/rotary/rotary_precision.hpp"
#include "positions.hpp"

namespace posenc::bindings {
namespace {

Status rope_table(HeapFloats& cos, HeapFloats& sin, HeapDoubles& inv_freq, std::size_t length, double start,
                  HeapDoubles& positions, double attention_factor) {
  return posenc::rope_table(cos.span(), sin.span(), inv_freq.span(), positions_of(length, start, positions),
                            attention_factor);
}

Status rounded_rope_table(HeapFloats& cos, HeapFloats& sin, HeapDoubles& inv_freq, std::size_t length, double start,
                          HeapDoubles& positions, double attention_factor, Dtype position, Dtype inv_freq_dtype,
                          Dtype angle, Dtype table) {
  return posenc::rounded_cos_sin_tables(
      cos.span(), sin.span(), inv_freq.span(), positions_of(length, start, positions), attention_factor,
      {.position = position, .inv_freq = inv_freq_dtype, .angle = angle, .table = table});
}

/// The rows of a table from `first_row` on.
std::span<const float> rows_from(HeapFloats& table, std::size_t first_row, std::size_t pairs) {
  const std::span<const float> all = table.span();
  return all.subspan(std::min(product({first_row, pairs}), all.size()));
}

Status rope_rotate(HeapFloats& out, HeapFloats& x, HeapFloats& cos, HeapFloats& sin, std::size_t first_row,
                   HeapIndices& rows, std::size_t batch, std::size_t length, std::size_t heads, std::size_t head_dim,
                   std::size_t rotary_dim, TensorFormat format, Pairing pairing, Direction direction) {
  const RopeShape shape{.batch = batch,
                        .length = length,
                        .heads = heads,
                        .head_dim = head_dim,
                        .rotary_dim = rotary_dim,
                        .format = format,
                        .pairing = pairing};
  const std::size_t pairs = rotary_dim / 2;
  return posenc::rope_rotate(out.span(), x.span(), rows_from(cos, first_row, pairs), rows_from(sin, first_row, pairs),
                             rows.span(), shape, direction);
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_rope) {
  emscripten::enum_<Pairing>("Pairing").value("Half", Pairing::Half).value("Interleaved", Pairing::Interleaved);
  emscripten::enum_<Direction>("Direction").value("Forward", Direction::Forward).value("Inverse", Direction::Inverse);
  emscripten::enum_<Dtype>("Dtype")
      .value("F64", Dtype::F64)
      .value("F32", Dtype::F32)
      .value("F16", Dtype::F16)
      .value("Bf16", Dtype::Bf16);
  emscripten::function("ropeTable", &rope_table);
  emscripten::function("roundedRopeTable", &rounded_rope_table);
  emscripten::function("ropeRotate", &rope_rotate);
}

}  // namespace posenc::bindings
