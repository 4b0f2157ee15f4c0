#include "core/analysis/verify_relative.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

/// The rotary score of a query and a key, and how it is computed. It borrows the heap arrays it is given.
class RotaryScoreCall {
 public:
  RotaryScoreCall(HeapFloats& query, HeapFloats& key) : query_(query.span()), key_(key.span()) {}

  void layout(std::size_t head_dim, std::size_t rotary_dim, Pairing pairing, double attention_factor) {
    options_.head_dim = head_dim;
    options_.rotary_dim = rotary_dim;
    options_.pairing = pairing;
    options_.attention_factor = attention_factor;
  }
  void precision(Dtype position, Dtype inv_freq, Dtype angle, Dtype table) {
    options_.precision = {.position = position, .inv_freq = inv_freq, .angle = angle, .table = table};
  }

  Status verify(HeapDoubles& score, HeapDoubles& residual, HeapDoubles& inv_freq, double distance,
                HeapDoubles& shifts) const {
    return posenc::verify_relative(score.span(), residual.span(), query_, key_, inv_freq.span(), distance,
                                   shifts.span(), options_);
  }
  double rounding() const { return posenc::rotary_rounding(query_, key_, options_); }

 private:
  std::span<const float> query_;
  std::span<const float> key_;
  RotaryScore options_;
};

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_verify_relative) {
  emscripten::class_<RotaryScoreCall>("RotaryScoreCall")
      .constructor<HeapFloats&, HeapFloats&>()
      .function("layout", &RotaryScoreCall::layout)
      .function("precision", &RotaryScoreCall::precision)
      .function("verify", &RotaryScoreCall::verify)
      .function("rounding", &RotaryScoreCall::rounding);
}

}  // namespace posenc::bindings
