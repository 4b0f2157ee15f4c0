#include "core/relative/fire.hpp"

#include "heap_array.hpp"
#include "term_slot.hpp"

namespace posenc::bindings {
namespace {

Status fire_bias(HeapFloats& out, HeapFloats& w1, HeapFloats& b1, HeapFloats& w2, HeapFloats& b2, double c,
                 double threshold, double epsilon, std::size_t heads, std::size_t query_length, std::size_t key_length,
                 double query_start, double key_start) {
  const FireNetwork network{.w1 = w1.span(), .b1 = b1.span(), .w2 = w2.span(), .b2 = b2.span()};
  const FireScale scale{.c = c, .threshold = threshold, .epsilon = epsilon};
  const BiasShape shape{.heads = heads,
                        .query_length = query_length,
                        .key_length = key_length,
                        .query_start = query_start,
                        .key_start = key_start};
  return posenc::fire_bias(out.span(), network, scale, shape);
}

/// Fills `numerators` as well.
Status fire_term(BiasSlot& slot, HeapFloats& w1, HeapFloats& b1, HeapFloats& w2, HeapFloats& b2, double c,
                 double threshold, double epsilon, HeapFloats& numerators, double first) {
  const FireNetwork network{.w1 = w1.span(), .b1 = b1.span(), .w2 = w2.span(), .b2 = b2.span()};
  const FireScale scale{.c = c, .threshold = threshold, .epsilon = epsilon};
  slot.set<FireTerm>(network, scale, numerators.span(), static_cast<std::int64_t>(first));
  return posenc::fire_numerators(numerators.span(), scale, first);
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_fire) {
  emscripten::function("fireBias", &fire_bias);
  emscripten::function("fireTerm", &fire_term);
}

}  // namespace posenc::bindings
