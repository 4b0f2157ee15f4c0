#include "core/absolute/index.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

Status index_encoding(HeapFloats& out, IndexMode mode) { return posenc::index_encoding(out.span(), mode); }

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_index) {
  emscripten::enum_<IndexMode>("IndexMode")
      .value("Integer", IndexMode::Integer)
      .value("Unit", IndexMode::Unit)
      .value("Fraction", IndexMode::Fraction);
  emscripten::function("indexEncoding", &index_encoding);
}

}  // namespace posenc::bindings
