#include "core/attention/attention.hpp"

#include <cmath>
#include <optional>

#include "core/relative/distance_bias.hpp"
#include "heap_array.hpp"
#include "term_slot.hpp"

namespace posenc::bindings {
namespace {

std::size_t window_side(double keys) {
  return keys < static_cast<double>(kUnbounded) ? static_cast<std::size_t>(keys) : kUnbounded;
}

/// One call of attention, whose sizes, rule and many optional inputs are named one by one. It borrows the heap arrays
/// it is given.
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
  void additive_mask(HeapFloats& values) { inputs_.additive_mask = values.span(); }
  void mask(HeapBytes& allowed) { inputs_.mask = allowed.span(); }
  void mask_shape(std::size_t batches, std::size_t heads, std::size_t queries, std::size_t keys) {
    inputs_.mask_shape = {.batches = batches, .heads = heads, .queries = queries, .keys = keys};
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

  void shape(std::size_t batch, std::size_t heads, std::size_t kv_heads, std::size_t query_length,
             std::size_t key_length, std::size_t head_dim, std::size_t value_dim, TensorFormat format) {
    shape_.batch = batch;
    shape_.heads = heads;
    shape_.kv_heads = kv_heads;
    shape_.query_length = query_length;
    shape_.key_length = key_length;
    shape_.head_dim = head_dim;
    shape_.value_dim = value_dim;
    shape_.format = format;
  }
  /// Keys and values lie in a cache: [batch, capacity, kv_heads, dim].
  void cached(std::size_t capacity) {
    shape_.key_format = TensorFormat::Bshd;
    shape_.key_capacity = capacity;
  }

  /// Whole numbers are doubles. A window side without a limit is infinite; a query_start that is not given is NaN.
  void rule(float scale, float softcap, double query_start, double key_start, bool causal, double window_left,
            double window_right) {
    const std::optional<std::int64_t> at_end;
    rule_ = {.scale = scale,
             .softcap = softcap,
             .query_start = std::isnan(query_start) ? at_end : static_cast<std::int64_t>(query_start),
             .key_start = static_cast<std::int64_t>(key_start),
             .causal = causal,
             .window_left = window_side(window_left),
             .window_right = window_side(window_right)};
  }

  /// How many floats `run` needs as scratch.
  std::size_t scratch() const { return attention_scratch(shape_); }

  Status run(HeapFloats& out, AttentionResult result, HeapFloats& scratch) const {
    return posenc::attention(out.span(), inputs_, rope_, shape_, rule_, result, scratch.span());
  }

 private:
  AttentionInputs inputs_;
  AttentionRope rope_;
  AttentionShape shape_;
  AttentionRule rule_;
};

void distance_bias(BiasSlot& slot, HeapFloats& values, double first) {
  slot.set<DistanceBias>(values.span(), static_cast<std::int64_t>(first));
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_attention) {
  emscripten::enum_<AttentionResult>("AttentionResult")
      .value("Output", AttentionResult::Output)
      .value("Weights", AttentionResult::Weights)
      .value("Scores", AttentionResult::Scores)
      .value("Capped", AttentionResult::Capped)
      .value("Scaled", AttentionResult::Scaled);
  emscripten::class_<AttentionCall>("AttentionCall")
      .constructor<HeapFloats&, HeapFloats&, HeapFloats&>()
      .function("bias", &AttentionCall::bias)
      .function("biasTerm", &AttentionCall::bias_term)
      .function("relativeTerm", &AttentionCall::relative_term)
      .function("additiveMask", &AttentionCall::additive_mask)
      .function("mask", &AttentionCall::mask)
      .function("maskShape", &AttentionCall::mask_shape)
      .function("keyValid", &AttentionCall::key_valid)
      .function("keyLengths", &AttentionCall::key_lengths)
      .function("sinks", &AttentionCall::sinks)
      .function("rotateQueries", &AttentionCall::rotate_queries)
      .function("rotateKeys", &AttentionCall::rotate_keys)
      .function("rotation", &AttentionCall::rotation)
      .function("shape", &AttentionCall::shape)
      .function("cached", &AttentionCall::cached)
      .function("rule", &AttentionCall::rule)
      .function("scratch", &AttentionCall::scratch)
      .function("run", &AttentionCall::run);
  emscripten::class_<BiasSlot>("BiasSlot").constructor<>();
  emscripten::class_<RelativeSlot>("RelativeSlot").constructor<>();
  emscripten::function("distanceBias", &distance_bias);
}

}  // namespace posenc::bindings
