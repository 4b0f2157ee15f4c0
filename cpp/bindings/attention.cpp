#include "core/attention.hpp"

#include <cmath>
#include <optional>

#include "core/distance_bias.hpp"
#include "heap_array.hpp"
#include "term_slot.hpp"

namespace posenc::bindings {
namespace {

/// AttentionRule as JavaScript has it: whole numbers are doubles, a window side without a limit is infinite, and a
/// query_start that is not given is NaN.
struct Rule {
  float scale = 1;
  float softcap = 0;
  double query_start = 0;
  double key_start = 0;
  bool causal = false;
  double window_left = 0;
  double window_right = 0;
};

std::size_t window_side(double keys) {
  return keys < static_cast<double>(kUnbounded) ? static_cast<std::size_t>(keys) : kUnbounded;
}

/// One call of attention, whose many optional inputs are named one by one. It borrows the heap arrays it is given.
class AttentionCall {
 public:
  AttentionCall(HeapFloats& query, HeapFloats& key, HeapFloats& value) {
    inputs_.query = query.span();
    inputs_.key = key.span();
    inputs_.value = value.span();
  }

  void bias(HeapFloats& values) { inputs_.bias = values.span(); }
  void bias_term(BiasSlot& slot) { inputs_.bias_term = slot.get(); }
  void relative_term(RelativeSlot& slot) { inputs_.relative_term = slot.get(); }
  void additive_mask(HeapFloats& values, MaskShape shape) {
    inputs_.additive_mask = values.span();
    inputs_.mask_shape = shape;
  }
  void mask(HeapBytes& allowed, MaskShape shape) {
    inputs_.mask = allowed.span();
    inputs_.mask_shape = shape;
  }
  void key_valid(HeapBytes& valid) { inputs_.key_valid = valid.span(); }
  void key_lengths(HeapIndices& lengths) { inputs_.key_lengths = lengths.span(); }
  void sinks(HeapFloats& logits) { inputs_.sinks = logits.span(); }

  void rotate_queries(HeapFloats& cos, HeapFloats& sin) {
    rope_.query_cos = cos.span();
    rope_.query_sin = sin.span();
  }
  void rotate_keys(HeapFloats& cos, HeapFloats& sin) {
    rope_.key_cos = cos.span();
    rope_.key_sin = sin.span();
  }
  void rotation(std::size_t rotary_dim, Pairing pairing) {
    rope_.rotary_dim = rotary_dim;
    rope_.pairing = pairing;
  }

  /// Keys and values lie in a cache: [batch, capacity, kv_heads, dim].
  void cached(std::size_t capacity) { capacity_ = capacity; }

  Status run(HeapFloats& out, AttentionShape shape, Rule rule, AttentionResult result, HeapFloats& scratch) const {
    const std::optional<std::int64_t> at_end;
    const AttentionRule core_rule{
        .scale = rule.scale,
        .softcap = rule.softcap,
        .query_start = std::isnan(rule.query_start) ? at_end : static_cast<std::int64_t>(rule.query_start),
        .key_start = static_cast<std::int64_t>(rule.key_start),
        .causal = rule.causal,
        .window_left = window_side(rule.window_left),
        .window_right = window_side(rule.window_right)};
    if (capacity_ != 0) {
      shape.key_format = TensorFormat::Bshd;
      shape.key_capacity = capacity_;
    }
    return posenc::attention(out.span(), inputs_, rope_, shape, core_rule, result, scratch.span());
  }

 private:
  AttentionInputs inputs_;
  AttentionRope rope_;
  std::size_t capacity_ = 0;
};

void distance_bias(BiasSlot& slot, HeapFloats& values, double first) {
  slot.set<DistanceBias>(values.span(), static_cast<std::int64_t>(first));
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_attention) {
  using emscripten::value_object;
  emscripten::enum_<AttentionResult>("AttentionResult")
      .value("Output", AttentionResult::Output)
      .value("Weights", AttentionResult::Weights)
      .value("Scores", AttentionResult::Scores)
      .value("Capped", AttentionResult::Capped)
      .value("Scaled", AttentionResult::Scaled);
  value_object<MaskShape>("MaskShape")
      .field("batches", &MaskShape::batches)
      .field("heads", &MaskShape::heads)
      .field("queries", &MaskShape::queries)
      .field("keys", &MaskShape::keys);
  value_object<AttentionShape>("AttentionShape")
      .field("batch", &AttentionShape::batch)
      .field("heads", &AttentionShape::heads)
      .field("kvHeads", &AttentionShape::kv_heads)
      .field("queryLength", &AttentionShape::query_length)
      .field("keyLength", &AttentionShape::key_length)
      .field("headDim", &AttentionShape::head_dim)
      .field("valueDim", &AttentionShape::value_dim)
      .field("format", &AttentionShape::format);
  value_object<Rule>("AttentionRule")
      .field("scale", &Rule::scale)
      .field("softcap", &Rule::softcap)
      .field("queryStart", &Rule::query_start)
      .field("keyStart", &Rule::key_start)
      .field("causal", &Rule::causal)
      .field("windowLeft", &Rule::window_left)
      .field("windowRight", &Rule::window_right);
  emscripten::class_<AttentionCall>("AttentionCall")
      .constructor<HeapFloats&, HeapFloats&, HeapFloats&>()
      .function("bias", &AttentionCall::bias)
      .function("biasTerm", &AttentionCall::bias_term)
      .function("relativeTerm", &AttentionCall::relative_term)
      .function("additiveMask", &AttentionCall::additive_mask)
      .function("mask", &AttentionCall::mask)
      .function("keyValid", &AttentionCall::key_valid)
      .function("keyLengths", &AttentionCall::key_lengths)
      .function("sinks", &AttentionCall::sinks)
      .function("rotateQueries", &AttentionCall::rotate_queries)
      .function("rotateKeys", &AttentionCall::rotate_keys)
      .function("rotation", &AttentionCall::rotation)
      .function("cached", &AttentionCall::cached)
      .function("run", &AttentionCall::run);
  emscripten::function("attentionScratch", &attention_scratch);
  emscripten::class_<BiasSlot>("BiasSlot").constructor<>();
  emscripten::class_<RelativeSlot>("RelativeSlot").constructor<>();
  emscripten::function("distanceBias", &distance_bias);
}

}  // namespace posenc::bindings
