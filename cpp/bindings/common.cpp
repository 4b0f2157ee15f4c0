#include "core/angle_table.hpp"
#include "core/shape.hpp"
#include "core/simd.hpp"
#include "core/status.hpp"
#include "heap_array.hpp"

/// In place of C's siprintf at the one place in Embind that prints: the name of a type in the error that a binding is
/// missing. Without run-time type information that is an address, and to print one takes 4 KB of code.
extern "C" int __wrap_siprintf(char* text, const char*, ...) {
  text[0] = '?';
  text[1] = '\0';
  return 1;
}

namespace posenc::bindings {
namespace {

/// Whether this build uses the relaxed instructions.
bool is_relaxed() { return kRelaxed; }

std::size_t count_heap_arrays() { return live_heap_arrays; }

template <typename Array>
void register_heap_array(const char* name) {
  emscripten::class_<Array>(name)
      .template constructor<std::size_t>()
      .function("length", &Array::length)
      .function("view", &Array::view);
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_common) {
  emscripten::register_type<FloatView>("Float32Array");
  emscripten::register_type<DoubleView>("Float64Array");
  emscripten::register_type<ByteView>("Uint8Array");
  emscripten::register_type<IndexView>("Uint32Array");
  emscripten::register_type<IntView>("Int32Array");

  register_heap_array<HeapFloats>("HeapFloats");
  register_heap_array<HeapDoubles>("HeapDoubles");
  register_heap_array<HeapBytes>("HeapBytes");
  register_heap_array<HeapIndices>("HeapIndices");
  register_heap_array<HeapInts>("HeapInts");

  emscripten::enum_<Status>("Status")
      .value("Ok", Status::Ok)
      .value("WrongLength", Status::WrongLength)
      .value("BadShape", Status::BadShape)
      .value("OddDimension", Status::OddDimension)
      .value("OutOfRange", Status::OutOfRange)
      .value("NotFinite", Status::NotFinite);
  emscripten::enum_<TensorFormat>("TensorFormat").value("Bshd", TensorFormat::Bshd).value("Bhsd", TensorFormat::Bhsd);

  emscripten::function("isRelaxed", &is_relaxed);
  emscripten::function("liveHeapArrays", &count_heap_arrays);
}

}  // namespace posenc::bindings
