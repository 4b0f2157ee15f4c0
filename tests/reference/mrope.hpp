#pragma once

#include <cstddef>

#include "core/rotary/mrope.hpp"

namespace posenc::reference {

/// The axis by which a pair turns: 0 time, 1 height, 2 width.
inline std::size_t mrope_axis(std::size_t pair, const MropeSections& sections, MropeOrder order) {
  if (order == MropeOrder::Chunked) {
    if (pair < sections[0]) return 0;
    return pair < sections[0] + sections[1] ? 1 : 2;
  }
  const std::size_t axis = pair % 3;
  return axis != 0 && pair < 3 * sections[axis] ? axis : 0;
}

}  // namespace posenc::reference
