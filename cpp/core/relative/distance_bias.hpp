#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/attention/score_term.hpp"
#include "core/numeric/status.hpp"

namespace posenc {

/// A bias inside attention that depends on the distance only: one row of biases per head, which the rows of scores read
/// from different places on.
///
/// Errors     of check: WrongLength, OutOfRange (a distance of the call has no bias).
/// Accuracy   the numbers given.
class DistanceBias final : public BiasTerm {
 public:
  /// values   [heads, distances]: for the distance `first`, query - key, then for each that is one less. A bias of the
  ///          shape {heads, 1 query, distances} is such a row.
  DistanceBias(std::span<const float> values, std::int64_t first) noexcept : values_(values), first_(first) {}

  [[nodiscard]] Status check(const AttentionShape& shape, DistanceRange distances) const noexcept override;
  void add(float* scores, const ScoreBlock& block) const noexcept override;

 private:
  std::span<const float> values_;
  std::int64_t first_;
};

}  // namespace posenc
