#include "core/absolute/sinusoidal_2d.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

Status sinusoidal_2d(HeapFloats& out, HeapDoubles& inv_freq, HeapDoubles& first, HeapDoubles& second,
                     AngleLayout layout) {
  return posenc::sinusoidal_2d(out.span(), inv_freq.span(), first.span(), second.span(), layout);
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_sinusoidal_2d) { emscripten::function("sinusoidal2d", &sinusoidal_2d); }

}  // namespace posenc::bindings
