#include "core/analysis/kernel_scan.hpp"

namespace posenc {

KernelScan::KernelScan(std::span<const double> inv_freq, std::span<double> scratch) noexcept : inv_freq_(inv_freq) {
  const std::size_t pairs = inv_freq.size();
  const auto take = [&scratch](std::size_t n) {
    const auto taken = scratch.first(n);
    scratch = scratch.subspan(n);
    return taken;
  };
  steps_ = take(2 * (kReach + 1) * pairs);
  centre_cos_ = take(kCentres * pairs);
  centre_sin_ = take(kCentres * pairs);
  values_ = take(kCentres * kWidth);

  for_each_block([&](const AngleBlock& block, std::size_t first_pair, std::size_t n) {
    std::array<double, AngleBlock::kPairs> cos, sin;
    for (std::size_t j = 0; j <= kReach; ++j) {
      block.cos_sin(static_cast<double>(j), cos, sin);
      for (std::size_t p = 0; p < n; ++p) {
        double* const step = &steps_[(j / kTile * pairs + first_pair + p) * 2 * kTile + j % kTile];
        step[0] = cos[p];
        step[kTile] = sin[p];
      }
    }
  });
}

void KernelScan::evaluate(double first, std::size_t centres) noexcept {
  const std::size_t pairs = inv_freq_.size();
  const std::size_t even_centres = centres + centres % 2;
  for_each_block([&](const AngleBlock& block, std::size_t first_pair, std::size_t n) {
    std::array<double, AngleBlock::kPairs> cos, sin;
    for (std::size_t c = 0; c < even_centres; ++c) {
      block.cos_sin(first + static_cast<double>(c * kWidth + kReach), cos, sin);
      std::copy_n(cos.begin(), n, &centre_cos_[c * pairs + first_pair]);
      std::copy_n(sin.begin(), n, &centre_sin_[c * pairs + first_pair]);
    }
  });
  for (std::size_t tile = 0; tile < (kReach + 1) / kTile; ++tile) {
    for (std::size_t c = 0; c < even_centres; c += 2) evaluate_tile(tile, c);
  }
}

void KernelScan::evaluate_tile(std::size_t tile, std::size_t centre) noexcept {
  const std::size_t pairs = inv_freq_.size();
  const double* const cos_a = &centre_cos_[centre * pairs];
  const double* const sin_a = &centre_sin_[centre * pairs];
  const double* const cos_b = cos_a + pairs;
  const double* const sin_b = sin_a + pairs;
  const double* step = &steps_[tile * pairs * 2 * kTile];

  // Sums of two centres (a, b) at two vectors of j (0, 1).
  const Vec64 zero(0.0);
  Vec64 even_a0 = zero, even_a1 = zero, even_b0 = zero, even_b1 = zero;
  Vec64 odd_a0 = zero, odd_a1 = zero, odd_b0 = zero, odd_b1 = zero;
  for (std::size_t p = 0; p < pairs; ++p, step += 2 * kTile) {
    const Vec64 cos_0 = load(step), cos_1 = load(step + kLanes64);
    const Vec64 sin_0 = load(step + kTile), sin_1 = load(step + kTile + kLanes64);
    const Vec64 cos_of_a(cos_a[p]), cos_of_b(cos_b[p]), sin_of_a(sin_a[p]), sin_of_b(sin_b[p]);
    even_a0 = mul_add(cos_0, cos_of_a, even_a0);
    even_a1 = mul_add(cos_1, cos_of_a, even_a1);
    even_b0 = mul_add(cos_0, cos_of_b, even_b0);
    even_b1 = mul_add(cos_1, cos_of_b, even_b1);
    odd_a0 = mul_add(sin_0, sin_of_a, odd_a0);
    odd_a1 = mul_add(sin_1, sin_of_a, odd_a1);
    odd_b0 = mul_add(sin_0, sin_of_b, odd_b0);
    odd_b1 = mul_add(sin_1, sin_of_b, odd_b1);
  }

  const Vec64 count(static_cast<double>(pairs));
  const auto save = [&](std::size_t c, std::size_t j, Vec64 even, Vec64 odd) {
    double* const middle = &values_[c * kWidth + kReach];
    store(middle + j, (even - odd) / count);
    std::array<double, kLanes64> before;
    store(before.data(), (even + odd) / count);
    std::reverse_copy(before.begin(), before.end(), middle - j - (kLanes64 - 1));
  };
  const std::size_t j = tile * kTile;
  save(centre, j, even_a0, odd_a0);
  save(centre, j + kLanes64, even_a1, odd_a1);
  save(centre + 1, j, even_b0, odd_b0);
  save(centre + 1, j + kLanes64, even_b1, odd_b1);
}

}  // namespace posenc
