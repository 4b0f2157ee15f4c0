#include "core/relative/kerple.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/numeric/check.hpp"
#include "core/numeric/exp2.hpp"

namespace posenc {
namespace {

double kernel(double a, double p, double distance, KerpleKind kind) noexcept {
  if (kind == KerpleKind::Log) return p * std::log1p(a * distance);
  const double log2_distance = std::log1p(distance - 1) * std::numbers::log2e;  // -infinity for no distance
  return a * exp2(p * log2_distance);
}

bool all_above_zero(std::span<const float> values) noexcept {
  return std::ranges::all_of(values, [](float value) { return value > 0; });
}

}  // namespace

Status kerple_bias(std::span<float> out, std::span<const float> a, std::span<const float> p, BiasShape shape,
                   KerpleKind kind) noexcept {
  if (const Status status = check_bias(out, shape); status != Status::Ok) return status;
  if (a.size() != shape.heads || p.size() != shape.heads) return Status::WrongLength;
  if (!all_finite(a) || !all_finite(p)) return Status::NotFinite;
  if (!all_above_zero(a) || !all_above_zero(p)) return Status::OutOfRange;
  if (kind == KerpleKind::Power && std::ranges::max(p) > 2) return Status::OutOfRange;

  fill_by_distance(out, shape, [=](double distance) {
    return [=, size = std::abs(distance)](std::size_t head) {
      return static_cast<float>(0.0 - kernel(a[head], p[head], size, kind));
    };
  });
  return Status::Ok;
}

}  // namespace posenc
