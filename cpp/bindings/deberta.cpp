#include "core/relative/deberta.hpp"

#include "heap_array.hpp"
#include "term_slot.hpp"

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
void deberta_term(RelativeSlot& slot, HeapFloats& relative_key, HeapFloats& relative_query, std::size_t span,
                  std::size_t bucket_size, std::size_t max_position, DebertaReach reach) {
  std::optional<DebertaRule> rule;
  if (bucket_size != 0) rule = rule_of(bucket_size, max_position, reach);
  slot.set<DebertaTerm>(relative_key.span(), relative_query.span(), span, rule);
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_deberta) {
  emscripten::enum_<DebertaReach>("DebertaReach")
      .value("Limited", DebertaReach::Limited)
      .value("Open", DebertaReach::Open);
  emscripten::function("debertaBuckets", &deberta_buckets);
  emscripten::function("debertaTerm", &deberta_term);
}

}  // namespace posenc::bindings
