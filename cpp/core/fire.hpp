#pragma once

#include <cstddef>
#include <span>

#include "relative_bias.hpp"
#include "status.hpp"

namespace posenc {

/// A perceptron with one hidden layer of rectified units, from one number to one per head.
struct FireNetwork {
  std::span<const float> w1;  // [width]
  std::span<const float> b1;  // [width]
  std::span<const float> w2;  // [heads, width]
  std::span<const float> b2;  // [heads]
};

/// How a distance becomes the input of the network: psi(query - key) / (psi(max(query, |threshold|)) + epsilon), where
/// psi(x) = ln(1 + |c x|). `query` is
/// its position, so up to the threshold it depends on the distance only, past it on the query as well.
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

}  // namespace posenc
