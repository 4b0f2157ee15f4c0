#include "core/numeric/angle_table.hpp"
#include "core/numeric/shape.hpp"
#include "core/numeric/simd.hpp"
#include "core/numeric/status.hpp"
#include "heap_array.hpp"

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
