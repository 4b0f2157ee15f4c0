#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "core/numeric/phase.hpp"
#include "core/numeric/simd.hpp"

namespace posenc {

/// Evaluates K, see distance_kernel.hpp, at every whole distance of a range.
///
/// By the angle addition theorem, the distances centre + j and centre - j share two sums over pairs:
///   K(centre +- j) = even(j) -+ odd(j),   even(j) = mean of cos(centre theta) cos(j theta), odd(j) likewise of sines.
/// cos(j theta) and sin(j theta) are the same for all centres, so the sums of many centres are a product of two
/// matrices. All angles are exact (AngleBlock), nothing is carried from one distance to the next.
class KernelScan {
 public:
  static constexpr std::size_t kReach = 127;  // j = 0 ... kReach
  static constexpr std::size_t kWidth = 2 * kReach + 1;
  static constexpr std::size_t kCentres = 32;  // centres of one product; an even number

  /// Doubles of scratch for a number of pairs, beyond a constant number.
  static constexpr std::size_t kScratchPerPair = 2 * (kReach + 1) + 2 * kCentres;
  static constexpr std::size_t kScratch = kCentres * kWidth;

  /// scratch   kScratchPerPair * inv_freq.size() + kScratch
  KernelScan(std::span<const double> inv_freq, std::span<double> scratch) noexcept;

  /// Calls visit(first, values) for consecutive pieces of [from, to], values[i] = K(first + i).
  ///
  /// from, to   whole, within 2^53
  template <class Visit>
  void scan(double from, double to, Visit visit) noexcept {
    for (double first = from; first <= to; first += static_cast<double>(kCentres * kWidth)) {
      const double left = to - first + 1;
      const auto n = static_cast<std::size_t>(std::min(left, static_cast<double>(kCentres * kWidth)));
      evaluate(first, (n + kWidth - 1) / kWidth);
      visit(first, std::span<const double>(values_.first(n)));
    }
  }

 private:
  // Consecutive j side by side, two vectors of them.
  static constexpr std::size_t kTile = 2 * kLanes64;
  static_assert((kReach + 1) % kTile == 0);

  /// Calls visit(block, first_pair, pairs) for all frequencies, AngleBlock::kPairs at a time.
  template <class Visit>
  void for_each_block(Visit visit) const noexcept {
    for (std::size_t first = 0; first < inv_freq_.size(); first += AngleBlock::kPairs) {
      const std::size_t n = std::min(AngleBlock::kPairs, inv_freq_.size() - first);
      visit(AngleBlock(inv_freq_.subspan(first, n)), first, n);
    }
  }

  void evaluate(double first, std::size_t centres) noexcept;
  void evaluate_tile(std::size_t tile, std::size_t centre) noexcept;

  std::span<const double> inv_freq_;
  std::span<double> steps_;       // [tile][pair][cos, sin][kTile]
  std::span<double> centre_cos_;  // [centre][pair]
  std::span<double> centre_sin_;  // [centre][pair]
  std::span<double> values_;      // [centre][kWidth]
};

}  // namespace posenc
