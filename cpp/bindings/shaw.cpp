#include "core/relative/shaw.hpp"

#include "heap_array.hpp"
#include "term_slot.hpp"

namespace posenc::bindings {
namespace {

void shaw_term(RelativeSlot& slot, HeapFloats& key_table, HeapFloats& value_table, std::size_t clip) {
  slot.set<ShawTerm>(key_table.span(), value_table.span(), clip);
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_shaw) { emscripten::function("shawTerm", &shaw_term); }

}  // namespace posenc::bindings
