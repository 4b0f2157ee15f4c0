#include "core/deberta.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

DebertaRule rule_of(std::size_t bucket_size, std::size_t max_position, DebertaReach reach) {
  return {.bucket_size = bucket_size, .max_position = max_position, .reach = reach};
}

Status deberta_buckets(HeapInts& out, HeapDoubles& delta, std::size_t bucket_size, std::size_t max_position,
                       DebertaReach reach) {
  return posenc::deberta_buckets(out.span(), delta.span(), rule_of(bucket_size, max_position, reach));
}

/// A bucket size of 0 stands for distances as they are.
Status deberta_scores(HeapFloats& out, HeapFloats& query, HeapFloats& key, HeapFloats& relative_key,
                      HeapFloats& relative_query, AttentionShape shape, std::size_t span, std::size_t bucket_size,
                      std::size_t max_position, DebertaReach reach) {
  const DebertaInputs inputs{.query = query.span(),
                             .key = key.span(),
                             .relative_key = relative_key.span(),
                             .relative_query = relative_query.span()};
  if (bucket_size == 0) return posenc::deberta_scores(out.span(), inputs, shape, span);
  return posenc::deberta_scores(out.span(), inputs, shape, span, rule_of(bucket_size, max_position, reach));
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_deberta) {
  emscripten::enum_<DebertaReach>("DebertaReach")
      .value("Limited", DebertaReach::Limited)
      .value("Open", DebertaReach::Open);
  emscripten::function("debertaBuckets", &deberta_buckets);
  emscripten::function("debertaScores", &deberta_scores);
}

}  // namespace posenc::bindings
