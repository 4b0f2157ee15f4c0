#include "core/absolute/sinusoidal.hpp"

#include "positions.hpp"

namespace posenc::bindings {
namespace {

Status sinusoidal(HeapFloats& out, HeapDoubles& inv_freq, std::size_t length, double start, HeapDoubles& positions,
                  std::size_t dim, AngleLayout order) {
  return posenc::sinusoidal(out.span(), inv_freq.span(), positions_of(length, start, positions), dim, order);
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_sinusoidal) {
  emscripten::enum_<AngleLayout>("AngleLayout")
      .value("SinCosInterleaved", AngleLayout::SinCosInterleaved)
      .value("SinThenCos", AngleLayout::SinThenCos)
      .value("CosThenSin", AngleLayout::CosThenSin);
  emscripten::function("sinusoidal", &sinusoidal);
}

}  // namespace posenc::bindings
