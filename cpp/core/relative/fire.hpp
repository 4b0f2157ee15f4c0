#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/attention/attention.hpp"
#include "core/attention/score_term.hpp"
#include "core/numeric/status.hpp"
#include "core/relative/relative_bias.hpp"

namespace posenc {

/// A perceptron with one hidden layer of rectified units, from one number to one per head.
struct FireNetwork {
  std::span<const float> w1;  // [width]
  std::span<const float> b1;  // [width]
  std::span<const float> w2;  // [heads, width]
  std::span<const float> b2;  // [heads]
};

/// How a distance becomes the input of the network: psi(query - key) / (psi(max(query, |threshold|)) + epsilon), where
/// psi(x) = ln(1 + |c x|). `query` is its position: up to the threshold only the distance counts, past it the query as
/// well.
struct FireScale {
  static constexpr double kLargest = 1e100;
  static constexpr double kLeastEpsilon = 1e-30;

  double c = 0;          // |c| <= kLargest
  double threshold = 0;  // |threshold| <= kLargest, in tokens; learned ones may have any sign
  double epsilon = 0;    // kLeastEpsilon ... kLargest
};

/// The bias of FIRE (functional interpolation of relative positions), to be added to scaled scores of causal attention.
/// Keys after the query get the bias of their distance, too; the network has not learned it.
///
/// out        [heads, query_length, key_length]
///
/// Errors     BadShape (a network without units), WrongLength, NotFinite, OutOfRange; out is then unchanged.
/// Accuracy   (width + 6) 2^-24 (|b2| + sum of |w2| (|w1 u| + |b1|)) for a network whose input is u.
/// Source     Li et al. 2023, arXiv:2310.04418.
[[nodiscard]] Status fire_bias(std::span<float> out, FireNetwork network, FireScale scale, BiasShape shape) noexcept;

/// The numerators of the inputs of the network, psi(distance), for a distance, query - key, and for each that is one
/// less.
///
/// out      [distances]
/// first    whole, |first| <= 2 kMaxPosition
///
/// Errors   BadShape (no distance), NotFinite, OutOfRange; out is then unchanged.
[[nodiscard]] Status fire_numerators(std::span<float> out, FireScale scale, double first) noexcept;

/// The same bias inside attention, where the network runs for every query and key. Where no query is past the
/// threshold, a bias by distance is faster.
///
/// Errors     of check: those of fire_bias; OutOfRange where a distance of the call has no numerator.
/// Accuracy   that of fire_bias.
class FireTerm final : public BiasTerm {
 public:
  /// numerators   from fire_numerators, for the distance `first` and less
  FireTerm(FireNetwork network, FireScale scale, std::span<const float> numerators, std::int64_t first) noexcept
      : network_(network), scale_(scale), numerators_(numerators), first_(first) {}

  [[nodiscard]] Status check(const AttentionShape& shape, DistanceRange distances) const noexcept override;
  void add(float* scores, const ScoreBlock& block) const noexcept override;

 private:
  FireNetwork network_;
  FireScale scale_;
  std::span<const float> numerators_;
  std::int64_t first_;
};

}  // namespace posenc
