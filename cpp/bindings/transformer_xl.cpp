#include "core/relative/transformer_xl.hpp"

#include "heap_array.hpp"
#include "term_slot.hpp"

namespace posenc::bindings {
namespace {

Status transformer_xl_keys(HeapFloats& out, HeapFloats& projection, HeapDoubles& inv_freq, std::size_t heads,
                           std::size_t query_length, std::size_t key_length, std::size_t head_dim, std::size_t dim,
                           double first_distance, double clamp_length, HeapDoubles& scratch) {
  const AttentionShape shape{
      .heads = heads, .query_length = query_length, .key_length = key_length, .head_dim = head_dim};
  return posenc::transformer_xl_keys(out.span(), projection.span(), inv_freq.span(), shape, dim, first_distance,
                                     clamp_length, scratch.span());
}

void transformer_xl_term(RelativeSlot& slot, HeapFloats& u, HeapFloats& v, HeapFloats& relative_keys,
                         double first_distance, HeapFloats& segment_bias, HeapFloats& segment_table,
                         HeapIndices& query_segments, HeapIndices& key_segments) {
  const XlnetSegments segments{.bias = segment_bias.span(),
                               .table = segment_table.span(),
                               .query_segment = query_segments.span(),
                               .key_segment = key_segments.span()};
  slot.set<TransformerXlTerm>(u.span(), v.span(), relative_keys.span(), static_cast<std::int64_t>(first_distance),
                              segments);
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_transformer_xl) {
  emscripten::function("transformerXlKeys", &transformer_xl_keys);
  emscripten::function("transformerXlTerm", &transformer_xl_term);
}

}  // namespace posenc::bindings
