#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace posenc {

/// Numbers from a fixed seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  [[nodiscard]] double uniform(double low, double high) { return std::uniform_real_distribution(low, high)(engine_); }
  [[nodiscard]] double whole(double low, double high) { return std::floor(uniform(low, high + 1)); }
  [[nodiscard]] std::vector<float> floats(std::size_t n) {
    std::vector<float> values(n);
    for (float& value : values) value = static_cast<float>(uniform(-1, 1));
    return values;
  }

 private:
  std::mt19937_64 engine_;
};

/// |got - exact| in units of the last place of the float nearest to the exact value.
[[nodiscard]] inline double ulps(float got, double exact) {
  const float nearest = std::abs(static_cast<float>(exact));
  const double ulp = std::nextafter(nearest, std::numeric_limits<float>::infinity()) - nearest;
  return std::abs(static_cast<double>(got) - exact) / ulp;
}

}  // namespace posenc
