#include "core/shaw.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

Status shaw_attention(HeapFloats& out, HeapFloats& query, HeapFloats& key, HeapFloats& value, HeapFloats& key_table,
                      HeapFloats& value_table, AttentionShape shape, std::size_t clip, double query_start, bool causal,
                      AttentionResult result, HeapDoubles& scratch) {
  const ShawRule rule{.clip = clip, .query_start = query_start, .causal = causal};
  const ShawInputs inputs{.query = query.span(),
                          .key = key.span(),
                          .value = value.span(),
                          .key_table = key_table.span(),
                          .value_table = value_table.span()};
  return posenc::shaw_attention(out.span(), inputs, shape, rule, result, scratch.span());
}

std::size_t shaw_scratch(AttentionShape shape, std::size_t clip) { return posenc::shaw_scratch(shape, {.clip = clip}); }

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_shaw) {
  emscripten::function("shawAttention", &shaw_attention);
  emscripten::function("shawScratch", &shaw_scratch);
}

}  // namespace posenc::bindings
