#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/relative/fire.hpp"

namespace posenc::reference {

struct FireValue {
  double bias;
  double size;  // the same sum with every term and factor taken as positive, for error bounds
};

/// The bias of one head for a query at position i and a key at position j.
inline FireValue fire(const FireNetwork& network, const FireScale& scale, std::size_t head, double i, double j) {
  const auto psi = [&](double x) { return std::log(1 + std::abs(scale.c * x)); };
  const double u = psi(i - j) / (psi(std::max(i, std::abs(scale.threshold))) + scale.epsilon);
  const std::size_t width = network.w1.size();
  FireValue value{network.b2[head], std::abs(double{network.b2[head]})};
  for (std::size_t k = 0; k < width; ++k) {
    const double w1 = network.w1[k];
    const double b1 = network.b1[k];
    const double w2 = network.w2[head * width + k];
    value.bias += w2 * std::max(w1 * u + b1, 0.0);
    value.size += std::abs(w2) * (std::abs(w1 * u) + std::abs(b1));
  }
  return value;
}

}  // namespace posenc::reference
