#include "core/absolute/learned.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

Status learned(HeapFloats& out, HeapFloats& table, HeapDoubles& positions, std::size_t rows, std::size_t dim,
               double offset) {
  return posenc::learned(out.span(), table.span(), positions.span(), rows, dim, offset);
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_learned) { emscripten::function("learned", &learned); }

}  // namespace posenc::bindings
