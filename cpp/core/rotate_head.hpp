#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "rope.hpp"
#include "simd.hpp"

namespace posenc {

/// Turns one head by its position: (a, b) becomes (a cos - b sin, a sin + b cos); the channels from rotary_dim on are
/// copied.
///
/// to, from   [head_dim]         may be the same
/// cos, sin   [rotary_dim / 2]   the table row of the position
inline void rotate_head(float* to, const float* from, const float* cos, const float* sin, std::size_t rotary_dim,
                        std::size_t head_dim, Pairing pairing) noexcept {
  const auto turn = [](Vec a, Vec b, Vec c, Vec s) {
    return std::pair(neg_mul_add(b, s, a * c), mul_add(a, s, b * c));
  };
  const std::size_t pairs = rotary_dim / 2;
  std::size_t i = 0;
  if (pairing == Pairing::Half) {
    for (; i + kLanes <= pairs; i += kLanes) {
      const auto [a, b] = turn(load(from + i), load(from + pairs + i), load(cos + i), load(sin + i));
      store(to + i, a);
      store(to + pairs + i, b);
    }
    if (const std::size_t n = pairs - i; n != 0) {
      const auto [a, b] =
          turn(load_tail(from + i, n), load_tail(from + pairs + i, n), load_tail(cos + i, n), load_tail(sin + i, n));
      store_tail(to + i, a, n);
      store_tail(to + pairs + i, b, n);
    }
  } else {
    for (; i + kLanes <= pairs; i += kLanes) {
      const auto [from_a, from_b] = deinterleave(load(from + 2 * i), load(from + 2 * i + kLanes));
      const auto [a, b] = turn(from_a, from_b, load(cos + i), load(sin + i));
      const auto [low, high] = interleave(a, b);
      store(to + 2 * i, low);
      store(to + 2 * i + kLanes, high);
    }
    for (; i < pairs; ++i) {
      const auto [a, b] = turn(Vec(from[2 * i]), Vec(from[2 * i + 1]), Vec(cos[i]), Vec(sin[i]));
      store_tail(to + 2 * i, a, 1);
      store_tail(to + 2 * i + 1, b, 1);
    }
  }
  if (to != from) std::copy(from + rotary_dim, from + head_dim, to + rotary_dim);
}

}  // namespace posenc
