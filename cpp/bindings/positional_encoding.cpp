#include "core/positional_encoding.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

Status positional_encoding(HeapFloats& out, HeapFloats& x, HeapFloats& table, PositionalEncodingShape shape,
                           double dropout, double seed) {
  return posenc::positional_encoding(out.span(), x.span(), table.span(), shape, dropout,
                                     static_cast<std::uint64_t>(seed));
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_positional_encoding) {
  emscripten::value_object<PositionalEncodingShape>("PositionalEncodingShape")
      .field("batch", &PositionalEncodingShape::batch)
      .field("length", &PositionalEncodingShape::length)
      .field("dim", &PositionalEncodingShape::dim);
  emscripten::function("positionalEncoding", &positional_encoding);
}

}  // namespace posenc::bindings
