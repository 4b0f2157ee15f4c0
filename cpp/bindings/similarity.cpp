#include "core/analysis/similarity.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

Status similarity(HeapFloats& out, HeapFloats& table, std::size_t rows, std::size_t dim) {
  return posenc::similarity(out.span(), table.span(), rows, dim);
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_similarity) { emscripten::function("similarity", &similarity); }

}  // namespace posenc::bindings
