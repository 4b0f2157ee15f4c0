#pragma once

#include <cstddef>

#include "core/rotary/rope.hpp"

namespace posenc {

/// Heads that turn by the same angles, one `stride` of floats after the other.
struct HeadSeries {
  std::size_t count = 1;
  std::size_t stride = 0;
};

/// Turns heads by one position: (a, b) becomes (a cos - b sin, a sin + b cos), with sin negated if inverse. The
/// channels from rotary_dim on are copied.
///
/// to, from   [head_dim] per head    the same or apart
/// cos, sin   [rotary_dim / 2]       the table row of the position
void rotate_heads(float* to, const float* from, HeadSeries heads, const float* cos, const float* sin,
                  std::size_t rotary_dim, std::size_t head_dim, Pairing pairing,
                  Direction direction = Direction::Forward) noexcept;

}  // namespace posenc
