#include "core/absolute/one_hot.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

Status one_hot(HeapFloats& out, HeapDoubles& positions, std::size_t max_length) {
  return posenc::one_hot(out.span(), positions.span(), max_length);
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_one_hot) { emscripten::function("oneHot", &one_hot); }

}  // namespace posenc::bindings
