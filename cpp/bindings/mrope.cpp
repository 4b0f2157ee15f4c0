#include "core/rotary/mrope.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

Status mrope_table(HeapFloats& cos, HeapFloats& sin, HeapDoubles& inv_freq, HeapDoubles& positions, std::size_t time,
                   std::size_t height, std::size_t width, MropeOrder order, double attention_factor) {
  return posenc::mrope_table(cos.span(), sin.span(), inv_freq.span(), positions.span(), {time, height, width}, order,
                             attention_factor);
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_mrope) {
  emscripten::enum_<MropeOrder>("MropeOrder")
      .value("Chunked", MropeOrder::Chunked)
      .value("Interleaved", MropeOrder::Interleaved);
  emscripten::function("mropeTable", &mrope_table);
}

}  // namespace posenc::bindings
