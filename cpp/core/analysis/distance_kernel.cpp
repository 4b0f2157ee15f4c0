#include "core/analysis/distance_kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/numeric/check.hpp"
#include "core/numeric/phase.hpp"
#include "core/numeric/shape.hpp"
#include "core/numeric/simd.hpp"

namespace posenc {
namespace {

constexpr std::size_t kPairs = AngleBlock::kPairs;

// Distances that share the preparation of a block of frequencies.
constexpr std::size_t kTile = 64;

/// A sum that carries what each addition loses (Knuth, The Art of Computer Programming, volume 2, theorem 4.2.2 B).
class CarefulSum {
 public:
  void add(Vec64 x) noexcept {
    const Vec64 sum = sum_ + x;
    const Vec64 added = sum - sum_;
    lost_ += (sum_ - (sum - added)) + (x - added);
    sum_ = sum;
  }
  [[nodiscard]] double total() const noexcept { return xsimd::reduce_add(sum_) + xsimd::reduce_add(lost_); }

 private:
  Vec64 sum_{0.0};
  Vec64 lost_{0.0};
};

/// Calls visit(i, cos, sin, n) with the angles of n frequencies at distances[i], for all distances and then the next
/// frequencies.
template <class Visit>
void for_each_angles(std::span<const double> inv_freq, std::span<const double> distances, Visit visit) noexcept {
  std::array<double, kPairs> cos, sin;
  for (std::size_t first = 0; first < inv_freq.size(); first += kPairs) {
    const std::size_t n = std::min(kPairs, inv_freq.size() - first);
    const AngleBlock block(inv_freq.subspan(first, n));
    for (std::size_t i = 0; i < distances.size(); ++i) {
      block.cos_sin(distances[i], cos, sin);
      visit(i, cos.data(), sin.data(), n);
    }
  }
}

Status check(std::span<double> out, std::span<const double> inv_freq, std::span<const double> distances) noexcept {
  if (inv_freq.empty()) return Status::BadShape;
  if (out.size() != distances.size()) return Status::WrongLength;
  if (const Status status = check_frequencies(inv_freq); status != Status::Ok) return status;
  return all_whole(distances, kMaxDistance) ? Status::Ok : Status::OutOfRange;
}

}  // namespace

Status distance_kernel(std::span<double> out, std::span<const double> inv_freq,
                       std::span<const double> distances) noexcept {
  if (const Status status = check(out, inv_freq, distances); status != Status::Ok) return status;

  for (std::size_t first = 0; first < out.size(); first += kTile) {
    const std::size_t n = std::min(kTile, out.size() - first);
    std::array<CarefulSum, kTile> sums{};
    for_each_angles(inv_freq, distances.subspan(first, n),
                    [&](std::size_t i, const double* cos, const double*, std::size_t pairs) {
                      for (std::size_t p = 0; p < pairs; p += kLanes64) sums[i].add(load(cos + p));
                    });
    for (std::size_t i = 0; i < n; ++i) out[first + i] = sums[i].total() / static_cast<double>(inv_freq.size());
  }
  return Status::Ok;
}

Status decay_bound(std::span<double> out, std::span<const double> inv_freq,
                   std::span<const double> distances) noexcept {
  if (const Status status = check(out, inv_freq, distances); status != Status::Ok) return status;

  struct PartialSum {
    double real = 0;
    double imaginary = 0;
    double sizes = 0;  // of all partial sums so far
  };
  for (std::size_t first = 0; first < out.size(); first += kTile) {
    const std::size_t n = std::min(kTile, out.size() - first);
    std::array<PartialSum, kTile> sums{};
    for_each_angles(inv_freq, distances.subspan(first, n),
                    [&](std::size_t i, const double* cos, const double* sin, std::size_t pairs) {
                      PartialSum& sum = sums[i];
                      for (std::size_t p = 0; p < pairs; ++p) {
                        sum.real += cos[p];
                        sum.imaginary += sin[p];
                        sum.sizes += std::sqrt(sum.real * sum.real + sum.imaginary * sum.imaginary);
                      }
                    });
    for (std::size_t i = 0; i < n; ++i) out[first + i] = sums[i].sizes / static_cast<double>(inv_freq.size());
  }
  return Status::Ok;
}

}  // namespace posenc
