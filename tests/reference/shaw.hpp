#pragma once

#include <algorithm>
#include <cstddef>

namespace posenc::reference {

/// The row of the tables for a distance, query - key.
inline std::size_t shaw_row(long distance, std::size_t clip) {
  const long most = static_cast<long>(clip);
  return static_cast<std::size_t>(std::clamp(-distance, -most, most) + most);
}

}  // namespace posenc::reference
