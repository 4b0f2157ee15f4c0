#include "core/verify_relative.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

Status verify_relative(HeapDoubles& score, HeapDoubles& residual, HeapFloats& query, HeapFloats& key,
                       HeapDoubles& inv_freq, double distance, HeapDoubles& shifts, RotaryScore options) {
  return posenc::verify_relative(score.span(), residual.span(), query.span(), key.span(), inv_freq.span(), distance,
                                 shifts.span(), options);
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_verify_relative) {
  emscripten::enum_<Dtype>("Dtype")
      .value("F64", Dtype::F64)
      .value("F32", Dtype::F32)
      .value("F16", Dtype::F16)
      .value("Bf16", Dtype::Bf16);
  emscripten::value_object<RotaryPrecision>("RotaryPrecision")
      .field("position", &RotaryPrecision::position)
      .field("invFreq", &RotaryPrecision::inv_freq)
      .field("angle", &RotaryPrecision::angle)
      .field("table", &RotaryPrecision::table);
  emscripten::value_object<RotaryScore>("RotaryScore")
      .field("headDim", &RotaryScore::head_dim)
      .field("rotaryDim", &RotaryScore::rotary_dim)
      .field("pairing", &RotaryScore::pairing)
      .field("attentionFactor", &RotaryScore::attention_factor)
      .field("precision", &RotaryScore::precision);
  emscripten::function("verifyRelative", &verify_relative);
}

}  // namespace posenc::bindings
