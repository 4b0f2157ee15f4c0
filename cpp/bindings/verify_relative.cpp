#include "core/verify_relative.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

Status verify_relative(HeapDoubles& score, HeapDoubles& residual, HeapFloats& query, HeapFloats& key,
                       HeapDoubles& inv_freq, double distance, HeapDoubles& shifts, RotaryScore options) {
  return posenc::verify_relative(score.span(), residual.span(), query.span(), key.span(), inv_freq.span(), distance,
                                 shifts.span(), options);
}

double rotary_rounding(HeapFloats& query, HeapFloats& key, RotaryScore options) {
  return posenc::rotary_rounding(query.span(), key.span(), options);
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_verify_relative) {
  emscripten::value_object<RotaryScore>("RotaryScore")
      .field("headDim", &RotaryScore::head_dim)
      .field("rotaryDim", &RotaryScore::rotary_dim)
      .field("pairing", &RotaryScore::pairing)
      .field("attentionFactor", &RotaryScore::attention_factor)
      .field("precision", &RotaryScore::precision);
  emscripten::function("verifyRelative", &verify_relative);
  emscripten::function("rotaryRounding", &rotary_rounding);
}

}  // namespace posenc::bindings
