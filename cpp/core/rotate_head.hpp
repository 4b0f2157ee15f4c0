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
  if (pairing == Pairing::Half) {
    for_each_vec(pairs, [&](std::size_t p, auto lanes) {
      const auto [a, b] =
          turn(lanes.load(from + p), lanes.load(from + pairs + p), lanes.load(cos + p), lanes.load(sin + p));
      lanes.store(to + p, a);
      lanes.store(to + pairs + p, b);
    });
  } else {
    for_each_vec(pairs, [&](std::size_t p, auto lanes) {
      const auto [from_a, from_b] = lanes.load_pairs(from + 2 * p);
      const auto [a, b] = turn(from_a, from_b, lanes.load(cos + p), lanes.load(sin + p));
      lanes.store_pairs(to + 2 * p, a, b);
    });
  }
  if (to != from) std::copy(from + rotary_dim, from + head_dim, to + rotary_dim);
}

}  // namespace posenc
