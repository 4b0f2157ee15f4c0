#include "core/relative/alibi.hpp"

#include "heap_array.hpp"
#include "term_slot.hpp"

namespace posenc::bindings {
namespace {

Status alibi_slopes(HeapDoubles& out, AlibiRule rule, double bias_max) {
  return posenc::alibi_slopes(out.span(), rule, bias_max);
}

Status alibi_bias(HeapFloats& out, HeapDoubles& slopes, HeapDoubles& positions, std::size_t heads,
                  std::size_t query_length, std::size_t key_length, double query_start, double key_start,
                  AlibiForm form) {
  const BiasShape shape{.heads = heads,
                        .query_length = query_length,
                        .key_length = key_length,
                        .query_start = query_start,
                        .key_start = key_start};
  return posenc::alibi_bias(out.span(), slopes.span(), positions.span(), shape, form);
}

void alibi_term(BiasSlot& slot, HeapDoubles& slopes, HeapDoubles& positions) {
  slot.set<AlibiTerm>(slopes.span(), positions.span());
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_alibi) {
  emscripten::enum_<AlibiRule>("AlibiRule")
      .value("PublishedCode", AlibiRule::PublishedCode)
      .value("Geometric", AlibiRule::Geometric);
  emscripten::enum_<AlibiForm>("AlibiForm").value("Causal", AlibiForm::Causal).value("Symmetric", AlibiForm::Symmetric);
  emscripten::function("alibiSlopes", &alibi_slopes);
  emscripten::function("alibiBias", &alibi_bias);
  emscripten::function("alibiTerm", &alibi_term);
}

}  // namespace posenc::bindings
