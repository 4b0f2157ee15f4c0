#include "core/relative/fire.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/numeric/check.hpp"
#include "core/numeric/shape.hpp"
#include "core/numeric/simd.hpp"

namespace posenc {
namespace {

double psi(double c, double x) noexcept { return std::log1p(std::abs(c * x)); }

Status check_scale(const FireScale& scale) noexcept {
  const std::array<double, 3> numbers = {scale.c, scale.threshold, scale.epsilon};
  if (!all_finite(std::span<const double>(numbers))) return Status::NotFinite;
  const bool in_range = std::ranges::all_of(numbers, [](double x) { return std::abs(x) <= FireScale::kLargest; }) &&
                        scale.epsilon >= FireScale::kLeastEpsilon;
  return in_range ? Status::Ok : Status::OutOfRange;
}

Status check_network(const FireNetwork& network, std::size_t heads) noexcept {
  const std::size_t width = network.w1.size();
  if (width == 0) return Status::BadShape;
  if (network.b1.size() != width || network.w2.size() != product({heads, width}) || network.b2.size() != heads) {
    return Status::WrongLength;
  }
  const bool finite =
      all_finite(network.w1) && all_finite(network.b1) && all_finite(network.w2) && all_finite(network.b2);
  return finite ? Status::Ok : Status::NotFinite;
}

float inverse_denominator(const FireScale& scale, double limit) noexcept {
  return static_cast<float>(1 / (psi(scale.c, limit) + scale.epsilon));
}

/// Writes the outputs for a vector of inputs, `plane` floats from one head to the next.
template <class Lanes>
void run(const FireNetwork& network, Vec input, float* out, std::size_t plane, Lanes lanes) noexcept {
  constexpr std::size_t kBlock = 32;  // hidden units that are kept while all heads read them
  const std::size_t width = network.w1.size();
  std::array<Vec, kBlock> hidden;
  for (std::size_t first = 0; first < width; first += kBlock) {
    const std::size_t count = std::min(kBlock, width - first);
    for (std::size_t k = 0; k < count; ++k) {
      hidden[k] = at_least(mul_add(input, Vec(network.w1[first + k]), Vec(network.b1[first + k])), Vec(0.0F));
    }
    for (std::size_t h = 0; h < network.b2.size(); ++h) {
      const float* weights = &network.w2[h * width + first];
      Vec sum = first == 0 ? Vec(network.b2[h]) : lanes.load(out + h * plane);
      for (std::size_t k = 0; k < count; ++k) sum = mul_add(hidden[k], Vec(weights[k]), sum);
      lanes.store(out + h * plane, sum);
    }
  }
}

}  // namespace

Status fire_bias(std::span<float> out, FireNetwork network, FireScale scale, BiasShape shape) noexcept {
  if (const Status status = check_bias(out, shape); status != Status::Ok) return status;
  if (const Status status = check_network(network, shape.heads); status != Status::Ok) return status;
  if (const Status status = check_scale(scale); status != Status::Ok) return status;

  // The numerators of the inputs, in the place of head 0 until its biases take it.
  const std::size_t plane = shape.query_length * shape.key_length;
  BiasShape one_head = shape;
  one_head.heads = 1;
  fill_by_distance(out.first(plane), one_head, [&](double distance) {
    const auto numerator = static_cast<float>(psi(scale.c, distance));
    return [=](std::size_t) { return numerator; };
  });

  const auto limit = [&](std::size_t query) {
    return std::max(shape.query_position(query), std::abs(scale.threshold));
  };
  for (std::size_t query = 0; query < shape.query_length; ++query) {
    const Vec inverse(inverse_denominator(scale, limit(query)));
    float* row = out.data() + shape.row(0, query);
    const auto fill = [&](std::size_t key, auto lanes) {
      run(network, lanes.load(row + key) * inverse, row + key, plane, lanes);
    };
    const bool is_as_above = query > 0 && limit(query) == limit(query - 1);
    if (is_as_above) {
      fill(0, TailVec{1});
      for (std::size_t h = 0; h < shape.heads; ++h) shift_row(out, shape, h, query);
    } else {
      for_each_vec(shape.key_length, fill);
    }
  }
  return Status::Ok;
}

Status fire_numerators(std::span<float> out, FireScale scale, double first) noexcept {
  if (out.empty()) return Status::BadShape;
  if (!is_whole(first, 2 * kMaxPosition)) return Status::OutOfRange;
  if (const Status status = check_scale(scale); status != Status::Ok) return status;
  for (std::size_t n = 0; n < out.size(); ++n) {
    out[n] = static_cast<float>(psi(scale.c, first - static_cast<double>(n)));
  }
  return Status::Ok;
}

Status FireTerm::check(const AttentionShape& shape, DistanceRange distances) const noexcept {
  const auto count = static_cast<std::int64_t>(numerators_.size());
  if (distances.greatest > first_ || distances.least <= first_ - count) return Status::OutOfRange;
  const Status status = check_network(network_, shape.heads);
  return status == Status::Ok ? check_scale(scale_) : status;
}

void FireTerm::add(float* scores, const ScoreBlock& block) const noexcept {
  const std::size_t width = network_.w1.size();
  const FireNetwork of_head{.w1 = network_.w1,
                            .b1 = network_.b1,
                            .w2 = network_.w2.subspan(block.head * width, width),
                            .b2 = network_.b2.subspan(block.head, 1)};
  const double limit = std::max(static_cast<double>(block.query_position), std::abs(scale_.threshold));
  const Vec inverse(inverse_denominator(scale_, limit));
  const float* numerators = numerators_.data() + static_cast<std::size_t>(first_ - block.distance(0));
  std::array<float, kLanes> biases;
  for_each_vec(block.keys, [&](std::size_t k, auto lanes) {
    run(of_head, lanes.load(numerators + k) * inverse, biases.data(), 0, WholeVec());
    lanes.store(scores + k, lanes.load(scores + k) + load(biases.data()));
  });
}

}  // namespace posenc
