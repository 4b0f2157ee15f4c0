#include "core/fire.hpp"

#include "heap_array.hpp"

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

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_fire) { emscripten::function("fireBias", &fire_bias); }

}  // namespace posenc::bindings
