#include "core/rotary/rope_2d.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

Status rope_2d_table(HeapFloats& cos, HeapFloats& sin, HeapDoubles& inv_freq, HeapDoubles& rows, HeapDoubles& columns,
                     double attention_factor) {
  return posenc::rope_2d_table(cos.span(), sin.span(), inv_freq.span(), rows.span(), columns.span(), attention_factor);
}

Status rope_2d_rotate(HeapFloats& out, HeapFloats& x, HeapFloats& cos, HeapFloats& sin, HeapIndices& table_rows,
                      std::size_t batch, std::size_t length, std::size_t heads, std::size_t head_dim,
                      std::size_t rotary_dim, TensorFormat format, Rope2dVariant variant, Direction direction) {
  const RopeShape shape{.batch = batch,
                        .length = length,
                        .heads = heads,
                        .head_dim = head_dim,
                        .rotary_dim = rotary_dim,
                        .format = format};
  return posenc::rope_2d_rotate(out.span(), x.span(), cos.span(), sin.span(), table_rows.span(), shape, variant,
                                direction);
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_rope_2d) {
  emscripten::enum_<Rope2dVariant>("Rope2dVariant")
      .value("Chatglm", Rope2dVariant::Chatglm)
      .value("Vision", Rope2dVariant::Vision)
      .value("Axial", Rope2dVariant::Axial);
  emscripten::function("rope2dTable", &rope_2d_table);
  emscripten::function("rope2dRotate", &rope_2d_rotate);
}

}  // namespace posenc::bindings
