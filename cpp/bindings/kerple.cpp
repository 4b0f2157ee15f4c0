#include "core/relative/kerple.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

Status kerple_bias(HeapFloats& out, HeapFloats& a, HeapFloats& p, std::size_t heads, std::size_t query_length,
                   std::size_t key_length, double query_start, double key_start, KerpleKind kind) {
  const BiasShape shape{.heads = heads,
                        .query_length = query_length,
                        .key_length = key_length,
                        .query_start = query_start,
                        .key_start = key_start};
  return posenc::kerple_bias(out.span(), a.span(), p.span(), shape, kind);
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_kerple) {
  emscripten::enum_<KerpleKind>("KerpleKind").value("Log", KerpleKind::Log).value("Power", KerpleKind::Power);
  emscripten::function("kerpleBias", &kerple_bias);
}

}  // namespace posenc::bindings
