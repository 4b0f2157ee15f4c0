#include "core/shaw.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

Status shaw_attention(HeapFloats& out, HeapFloats& query, HeapFloats& key, HeapFloats& value, HeapFloats& key_table,
                      HeapFloats& value_table, AttentionShape shape, ShawRule rule, AttentionResult result,
                      HeapDoubles& scratch) {
  const ShawInputs inputs{.query = query.span(),
                          .key = key.span(),
                          .value = value.span(),
                          .key_table = key_table.span(),
                          .value_table = value_table.span()};
  return posenc::shaw_attention(out.span(), inputs, shape, rule, result, scratch.span());
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_shaw) {
  emscripten::value_object<ShawRule>("ShawRule")
      .field("clip", &ShawRule::clip)
      .field("queryStart", &ShawRule::query_start)
      .field("causal", &ShawRule::causal);
  emscripten::function("shawAttention", &shaw_attention);
  emscripten::function("shawScratch", &shaw_scratch);
}

}  // namespace posenc::bindings
