#include "core/decompose.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

Status decompose(HeapFloats& content_content, HeapFloats& position_content, HeapFloats& content_position,
                 HeapFloats& position_position, HeapFloats& x, HeapFloats& p, HeapFloats& wq, HeapFloats& wk,
                 HeapDoubles& scratch, DecomposeShape shape) {
  const FourTerms terms{.content_content = content_content.span(),
                        .position_content = position_content.span(),
                        .content_position = content_position.span(),
                        .position_position = position_position.span()};
  return posenc::decompose(terms, x.span(), p.span(), wq.span(), wk.span(), scratch.span(), shape);
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_decompose) {
  emscripten::value_object<DecomposeShape>("DecomposeShape")
      .field("length", &DecomposeShape::length)
      .field("dim", &DecomposeShape::dim)
      .field("projected", &DecomposeShape::projected);
  emscripten::function("decompose", &decompose);
  emscripten::function("decomposeScratch", &decompose_scratch);
}

}  // namespace posenc::bindings
