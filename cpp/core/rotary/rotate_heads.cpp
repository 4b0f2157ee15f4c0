#include "core/rotary/rotate_heads.hpp"

#include <algorithm>
#include <array>

#include "core/numeric/simd.hpp"

namespace posenc {
namespace {

/// Cosines and sines of kVecs vectors of pairs, which stay in registers while heads pass.
template <std::size_t kVecs, class Lanes>
struct Turn {
  std::array<Vec, kVecs> cos, sin;

  Turn(const float* cos_row, const float* sin_row, Vec flip, Lanes lanes) noexcept {
    for (std::size_t v = 0; v < kVecs; ++v) {
      cos[v] = lanes.load(cos_row + v * kLanes);
      sin[v] = lanes.load(sin_row + v * kLanes) ^ flip;
    }
  }
};

/// The first channels of the pairs stand side by side, and the second ones `pairs` floats on.
struct Halves {
  static constexpr std::size_t kVecs = 4;  // a cache line of either

  template <std::size_t kVecs, class Lanes>
  static void turn(float* to, const float* from, HeadSeries heads, std::size_t pairs, const Turn<kVecs, Lanes>& by,
                   Lanes lanes) noexcept {
    for (std::size_t h = 0; h < heads.count; ++h, to += heads.stride, from += heads.stride) {
      for (std::size_t v = 0; v < kVecs; ++v) {
        const std::size_t i = v * kLanes;
        const Vec a = lanes.load(from + i), b = lanes.load(from + pairs + i);
        lanes.store(to + i, neg_mul_add(b, by.sin[v], a * by.cos[v]));
        lanes.store(to + pairs + i, mul_add(a, by.sin[v], b * by.cos[v]));
      }
    }
  }
  static std::size_t at(std::size_t pair) noexcept { return pair; }
};

/// The two channels of a pair are neighbours.
struct Neighbours {
  static constexpr std::size_t kVecs = 2;  // four of channels

  template <std::size_t kVecs, class Lanes>
  static void turn(float* to, const float* from, HeadSeries heads, std::size_t, const Turn<kVecs, Lanes>& by,
                   Lanes lanes) noexcept {
    // (a, b) (cos, cos) + (b, a) (-sin, sin)
    std::array<std::pair<Vec, Vec>, kVecs> cos, sin;
    for (std::size_t v = 0; v < kVecs; ++v) {
      cos[v] = interleave(by.cos[v], by.cos[v]);
      sin[v] = interleave(-by.sin[v], by.sin[v]);
    }
    const auto turned = [](Vec x, Vec c, Vec s) { return mul_add(swap_neighbours(x), s, x * c); };
    for (std::size_t h = 0; h < heads.count; ++h, to += heads.stride, from += heads.stride) {
      for (std::size_t v = 0; v < kVecs; ++v) {
        const auto [low, high] = lanes.load_two(from + 2 * v * kLanes);
        lanes.store_two(to + 2 * v * kLanes, turned(low, cos[v].first, sin[v].first),
                        turned(high, cos[v].second, sin[v].second));
      }
    }
  }
  static std::size_t at(std::size_t pair) noexcept { return 2 * pair; }
};

template <class Layout>
void rotate(float* to, const float* from, HeadSeries heads, const float* cos, const float* sin, std::size_t pairs,
            Vec flip) noexcept {
  const auto turn = [&]<std::size_t kVecs>(std::size_t pair, auto lanes) {
    const std::size_t i = Layout::at(pair);
    Layout::template turn<kVecs>(to + i, from + i, heads, pairs,
                                 Turn<kVecs, decltype(lanes)>(cos + pair, sin + pair, flip, lanes), lanes);
  };
  constexpr std::size_t kPairs = Layout::kVecs * kLanes;
  std::size_t pair = 0;
  for (; pair + kPairs <= pairs; pair += kPairs) turn.template operator()<Layout::kVecs>(pair, WholeVec());
  for (; pair + kLanes <= pairs; pair += kLanes) turn.template operator()<1>(pair, WholeVec());
  if (pair != pairs) turn.template operator()<1>(pair, TailVec{pairs - pair});
}

}  // namespace

void rotate_heads(float* to, const float* from, HeadSeries heads, const float* cos, const float* sin,
                  std::size_t rotary_dim, std::size_t head_dim, Pairing pairing, Direction direction) noexcept {
  // Few enough to stay in the first-level cache while all their pairs are passed.
  constexpr std::size_t kFloats = 512;
  const Vec flip(direction == Direction::Inverse ? -0.0F : 0.0F);  // the sign bit, or nothing
  const std::size_t at_once = std::max<std::size_t>(1, kFloats / head_dim);
  while (heads.count != 0) {
    const HeadSeries group{std::min(heads.count, at_once), heads.stride};
    if (pairing == Pairing::Half) {
      rotate<Halves>(to, from, group, cos, sin, rotary_dim / 2, flip);
    } else {
      rotate<Neighbours>(to, from, group, cos, sin, rotary_dim / 2, flip);
    }
    if (to != from) {
      for (std::size_t h = 0; h < group.count; ++h) {
        const float* rest = from + h * heads.stride;
        for_each_vec(head_dim - rotary_dim, [&](std::size_t i, auto lanes) {
          lanes.store(to + h * heads.stride + rotary_dim + i, lanes.load(rest + rotary_dim + i));
        });
      }
    }
    to += group.count * heads.stride;
    from += group.count * heads.stride;
    heads.count -= group.count;
  }
}

}  // namespace posenc
