#include "core/transformer_xl.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

Status transformer_xl_keys(HeapFloats& out, HeapFloats& projection, HeapDoubles& inv_freq, AttentionShape shape,
                           std::size_t dim, double memory_length, double clamp_length, HeapDoubles& scratch) {
  return posenc::transformer_xl_keys(out.span(), projection.span(), inv_freq.span(), shape, dim, memory_length,
                                     clamp_length, scratch.span());
}

Status transformer_xl_scores(HeapFloats& out, HeapFloats& query, HeapFloats& key, HeapFloats& u, HeapFloats& v,
                             HeapFloats& relative_keys, AttentionShape shape, double memory_length, bool causal,
                             HeapFloats& scratch) {
  const TransformerXlRule rule{.memory_length = memory_length, .causal = causal};
  const TransformerXlInputs inputs{
      .query = query.span(), .key = key.span(), .u = u.span(), .v = v.span(), .relative_keys = relative_keys.span()};
  return posenc::transformer_xl_scores(out.span(), inputs, shape, rule, scratch.span());
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_transformer_xl) {
  emscripten::function("transformerXlKeys", &transformer_xl_keys);
  emscripten::function("transformerXlScores", &transformer_xl_scores);
}

}  // namespace posenc::bindings
