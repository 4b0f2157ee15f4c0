#include "core/rotary/xpos.hpp"

#include "positions.hpp"

namespace posenc::bindings {
namespace {

Status xpos_table(HeapFloats& cos, HeapFloats& sin, HeapDoubles& inv_freq, HeapDoubles& log_scale, std::size_t length,
                  double start, HeapDoubles& positions, double center, double attention_factor) {
  return posenc::xpos_table(cos.span(), sin.span(), inv_freq.span(), log_scale.span(),
                            positions_of(length, start, positions), center, attention_factor);
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_xpos) { emscripten::function("xposTable", &xpos_table); }

}  // namespace posenc::bindings
