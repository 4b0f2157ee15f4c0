#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

namespace posenc::bindings {

/// How many heap arrays exist: the number must be the same before and after every call of the library.
inline std::size_t live_heap_arrays = 0;

/// Numbers on the WebAssembly heap, owned by a JavaScript handle.
///
/// View   the typed array that `view` returns. It dies when the heap grows: take it, use it, drop it.
///
/// A failed allocation is reported as length 0, since without exceptions it would otherwise abort the module.
template <typename T, typename View>
class HeapArray {
 public:
  explicit HeapArray(std::size_t length) : data_(new(std::nothrow) T[length]), length_(data_ ? length : 0) {
    ++live_heap_arrays;
  }
  ~HeapArray() {
    delete[] data_;
    --live_heap_arrays;
  }
  HeapArray(const HeapArray&) = delete;
  HeapArray& operator=(const HeapArray&) = delete;

  [[nodiscard]] std::size_t length() const { return length_; }
  [[nodiscard]] View view() const { return View(emscripten::val(emscripten::typed_memory_view(length_, data_))); }
  [[nodiscard]] std::span<T> span() { return {data_, length_}; }

 private:
  T* data_;
  std::size_t length_;
};

EMSCRIPTEN_DECLARE_VAL_TYPE(FloatView)
EMSCRIPTEN_DECLARE_VAL_TYPE(DoubleView)
EMSCRIPTEN_DECLARE_VAL_TYPE(ByteView)
EMSCRIPTEN_DECLARE_VAL_TYPE(IndexView)
EMSCRIPTEN_DECLARE_VAL_TYPE(IntView)

using HeapFloats = HeapArray<float, FloatView>;
using HeapDoubles = HeapArray<double, DoubleView>;
using HeapBytes = HeapArray<std::uint8_t, ByteView>;
using HeapIndices = HeapArray<std::uint32_t, IndexView>;
using HeapInts = HeapArray<std::int32_t, IntView>;

}  // namespace posenc::bindings
