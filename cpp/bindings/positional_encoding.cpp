#include "core/absolute/positional_encoding.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

Status positional_encoding(HeapFloats& out, HeapFloats& x, HeapFloats& table, std::size_t batch, std::size_t length,
                           std::size_t dim, double dropout, double seed) {
  return posenc::positional_encoding(out.span(), x.span(), table.span(), {.batch = batch, .length = length, .dim = dim},
                                     dropout, static_cast<std::uint64_t>(seed));
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_positional_encoding) { emscripten::function("positionalEncoding", &positional_encoding); }

}  // namespace posenc::bindings
