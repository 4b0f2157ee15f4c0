// What the machine can do at most: the memory or the arithmetic of a workload without anything else, in WebAssembly
// like the workload itself. The benchmark lets these take turns with the contenders.
#include <cstddef>

#include "core/numeric/simd.hpp"

namespace posenc {
namespace {

// Products in flight: enough to hide how long one takes, and few enough for the registers of any machine.
constexpr std::size_t kInFlight = 10;

/// Adds `count` products, all of them in registers, and gives their sum, so that none of it can be left out.
template <class Vector, class Real>
double multiply_add(std::size_t count) noexcept {
  Vector sums[kInFlight];
  for (std::size_t i = 0; i < kInFlight; ++i) sums[i] = Vector(static_cast<Real>(i));
  Vector factor(static_cast<Real>(0.5));
  for (std::size_t done = 0; done < count; done += kInFlight * Vector::size) {
    for (std::size_t i = 0; i < kInFlight; ++i) sums[i] = mul_add(sums[i], factor, factor);
  }
  for (std::size_t i = 1; i < kInFlight; ++i) sums[0] += sums[i];
  return static_cast<double>(xsimd::reduce_add(sums[0]));
}

constexpr std::size_t kStep = 4 * kLanes;

}  // namespace
}  // namespace posenc

using posenc::kLanes;
using posenc::kStep;
using posenc::Vec;

extern "C" {

/// Writes `count` floats.
[[clang::export_name("write")]] void write(float* to, std::size_t count) {
  const Vec value(0.5F);
  for (float* const end = to + count; to < end; to += kStep) {
    for (std::size_t i = 0; i < kStep; i += kLanes) posenc::store(to + i, value);
  }
}

/// Reads `count` floats and writes them back, changed.
[[clang::export_name("rewrite")]] void rewrite(float* at, std::size_t count) {
  const Vec factor(-1.0F);
  for (float* const end = at + count; at < end; at += kStep) {
    for (std::size_t i = 0; i < kStep; i += kLanes) posenc::store(at + i, posenc::load(at + i) * factor);
  }
}

/// Reads `count` floats and gives their sum.
[[clang::export_name("read")]] float read(const float* from, std::size_t count) {
  Vec sums[kStep / kLanes];
  for (Vec& sum : sums) sum = Vec(0.0F);
  for (const float* const end = from + count; from < end; from += kStep) {
    for (std::size_t i = 0; i < kStep / kLanes; ++i) sums[i] += posenc::load(from + i * kLanes);
  }
  for (std::size_t i = 1; i < kStep / kLanes; ++i) sums[0] += sums[i];
  return xsimd::reduce_add(sums[0]);
}

/// `count` multiplications and additions of floats.
[[clang::export_name("multiplyAdd32")]] double multiply_add_32(std::size_t count) {
  return posenc::multiply_add<posenc::Vec, float>(count);
}

/// `count` multiplications and additions of doubles.
[[clang::export_name("multiplyAdd64")]] double multiply_add_64(std::size_t count) {
  return posenc::multiply_add<posenc::Vec64, double>(count);
}

}  // extern "C"
