#pragma once

#include "core/numeric/angle_table.hpp"
#include "heap_array.hpp"

namespace posenc::bindings {

/// The positions of `length` rows: those in `values`, or where it is empty counted from `start`.
[[nodiscard]] inline Positions positions_of(std::size_t length, double start, HeapDoubles& values) {
  return {.length = length, .start = start, .values = values.span()};
}

}  // namespace posenc::bindings
