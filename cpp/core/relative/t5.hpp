#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/numeric/status.hpp"
#include "core/relative/relative_bias.hpp"

namespace posenc {

/// Which keys have buckets of their own.
enum class T5Reach {
  BothSides,  // half of the buckets for keys after the query: encoders
  Past,       // all buckets for keys up to the query; later ones share bucket 0: decoders
};

/// How T5 sorts the distance of a key from its query into buckets. The first half of the buckets of a side holds one
/// distance each; the others grow by equal factors up to max_distance, and the last holds all beyond.
struct T5Rule {
  static constexpr std::size_t kMaxBuckets = 65536;

  T5Reach reach = T5Reach::BothSides;
  std::size_t buckets = 32;        // 2 ... kMaxBuckets, at least 4 for both sides
  std::size_t max_distance = 128;  // more than the distances with a bucket of their own, less than 2^31

  [[nodiscard]] std::size_t buckets_per_side() const noexcept {
    return reach == T5Reach::BothSides ? buckets / 2 : buckets;
  }
  /// How many distances have a bucket of their own, 0 included.
  [[nodiscard]] std::size_t exact_distances() const noexcept { return buckets_per_side() / 2; }
};

/// The bucket of each relative position.
///
/// out        [count]   0 ... rule.buckets - 1
/// relative   [count]   key - query, whole, |relative| <= 2^53
///
/// Errors     BadShape (a rule outside its ranges), WrongLength, OutOfRange; out is then unchanged.
/// Accuracy   exact at every border: whole powers are compared, not logarithms.
/// Source     Raffel et al. 2019, arXiv:1910.10683, section 2.1, and the code published with it.
[[nodiscard]] Status t5_buckets(std::span<std::int32_t> out, std::span<const double> relative, T5Rule rule) noexcept;

/// The bias of T5: for each query and key the row of the table that their bucket names. T5 adds it to scores that are
/// not divided by the square root of the width.
///
/// out     [heads, query_length, key_length]
/// table   [rule.buckets, heads]
///
/// Errors     BadShape, WrongLength, OutOfRange; out is then unchanged.
/// Accuracy   numbers of the table, unchanged.
/// Source     Raffel et al. 2019, arXiv:1910.10683, section 2.1.
[[nodiscard]] Status t5_bias(std::span<float> out, std::span<const float> table, BiasShape shape, T5Rule rule) noexcept;

}  // namespace posenc
