#include "core/relative/t5.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

Status t5_buckets(HeapInts& out, HeapDoubles& relative, T5Reach reach, std::size_t buckets, std::size_t max_distance) {
  const T5Rule rule{.reach = reach, .buckets = buckets, .max_distance = max_distance};
  return posenc::t5_buckets(out.span(), relative.span(), rule);
}

Status t5_bias(HeapFloats& out, HeapFloats& table, std::size_t heads, std::size_t query_length, std::size_t key_length,
               double query_start, double key_start, T5Reach reach, std::size_t buckets, std::size_t max_distance) {
  const BiasShape shape{.heads = heads,
                        .query_length = query_length,
                        .key_length = key_length,
                        .query_start = query_start,
                        .key_start = key_start};
  const T5Rule rule{.reach = reach, .buckets = buckets, .max_distance = max_distance};
  return posenc::t5_bias(out.span(), table.span(), shape, rule);
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_t5) {
  emscripten::enum_<T5Reach>("T5Reach").value("BothSides", T5Reach::BothSides).value("Past", T5Reach::Past);
  emscripten::function("t5Buckets", &t5_buckets);
  emscripten::function("t5Bias", &t5_bias);
}

}  // namespace posenc::bindings
