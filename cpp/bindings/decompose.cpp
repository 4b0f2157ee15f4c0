#include "core/analysis/decompose.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

Status decompose(HeapFloats& content_content, HeapFloats& position_content, HeapFloats& content_position,
                 HeapFloats& position_position, HeapFloats& x, HeapFloats& p, HeapFloats& wq, HeapFloats& wk,
                 HeapDoubles& scratch, std::size_t length, std::size_t dim, std::size_t projected) {
  const FourTerms terms{.content_content = content_content.span(),
                        .position_content = position_content.span(),
                        .content_position = content_position.span(),
                        .position_position = position_position.span()};
  return posenc::decompose(terms, x.span(), p.span(), wq.span(), wk.span(), scratch.span(),
                           {.length = length, .dim = dim, .projected = projected});
}

std::size_t decompose_scratch(std::size_t length, std::size_t dim, std::size_t projected) {
  return posenc::decompose_scratch({.length = length, .dim = dim, .projected = projected});
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_decompose) {
  emscripten::function("decompose", &decompose);
  emscripten::function("decomposeScratch", &decompose_scratch);
}

}  // namespace posenc::bindings
