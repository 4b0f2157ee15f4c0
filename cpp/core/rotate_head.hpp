#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "rope.hpp"
#include "simd.hpp"

namespace posenc {

/// Turns one head by its position: (a, b) becomes (a cos - b sin, a sin + b cos), with sin negated if inverse. The
/// channels from rotary_dim on are copied.
///
/// to, from   [head_dim]         the same or apart
/// cos, sin   [rotary_dim / 2]   the table row of the position
inline void rotate_head(float* to, const float* from, const float* cos, const float* sin, std::size_t rotary_dim,
                        std::size_t head_dim, Pairing pairing, Direction direction = Direction::Forward) noexcept {
  const Vec flip(direction == Direction::Inverse ? -0.0F : 0.0F);  // the sign bit, or nothing
  const auto turn = [flip](Vec a, Vec b, Vec c, Vec s) {
    const Vec signed_s = s ^ flip;
    return std::pair(neg_mul_add(b, signed_s, a * c), mul_add(a, signed_s, b * c));
  };
  const std::size_t pairs = rotary_dim / 2;
  std::size_t p = 0;
  if (pairing == Pairing::Half) {
    for (; p + kLanes <= pairs; p += kLanes) {
      const auto [a, b] = turn(load(from + p), load(from + pairs + p), load(cos + p), load(sin + p));
      store(to + p, a);
      store(to + pairs + p, b);
    }
    if (const std::size_t n = pairs - p; n != 0) {
      const auto [a, b] =
          turn(load_tail(from + p, n), load_tail(from + pairs + p, n), load_tail(cos + p, n), load_tail(sin + p, n));
      store_tail(to + p, a, n);
      store_tail(to + pairs + p, b, n);
    }
  } else {
    for (; p + kLanes <= pairs; p += kLanes) {
      const auto [from_a, from_b] = deinterleave(load(from + 2 * p), load(from + 2 * p + kLanes));
      const auto [a, b] = turn(from_a, from_b, load(cos + p), load(sin + p));
      const auto [low, high] = interleave(a, b);
      store(to + 2 * p, low);
      store(to + 2 * p + kLanes, high);
    }
    if (const std::size_t n = pairs - p; n != 0) {
      const std::size_t in_low = std::min(2 * n, kLanes), in_high = 2 * n - in_low;
      const auto [from_a, from_b] =
          deinterleave(load_tail(from + 2 * p, in_low), load_tail(from + 2 * p + in_low, in_high));
      const auto [a, b] = turn(from_a, from_b, load_tail(cos + p, n), load_tail(sin + p, n));
      const auto [low, high] = interleave(a, b);
      store_tail(to + 2 * p, low, in_low);
      store_tail(to + 2 * p + in_low, high, in_high);
    }
  }
  if (to != from) std::copy(from + rotary_dim, from + head_dim, to + rotary_dim);
}

}  // namespace posenc
