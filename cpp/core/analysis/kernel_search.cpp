#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/analysis/distance_kernel.hpp"
#include "core/analysis/kernel_scan.hpp"
#include "core/numeric/check.hpp"
#include "core/numeric/shape.hpp"

namespace posenc {
namespace {

/// The strongest peaks so far, in the caller's arrays: a heap with the weakest one on top.
class StrongestPeaks {
 public:
  StrongestPeaks(std::span<double> distance, std::span<double> similarity) noexcept
      : distance_(distance), similarity_(similarity) {}

  [[nodiscard]] std::size_t count() const noexcept { return count_; }

  /// Whether a peak would be kept. Later peaks are farther, so an equal one is weaker.
  [[nodiscard]] bool takes(double similarity) const noexcept {
    return count_ < distance_.size() || similarity > similarity_[0];
  }

  void add(double distance, double similarity) noexcept {
    if (count_ < distance_.size()) {
      std::size_t child = count_++;
      set(child, distance, similarity);
      while (child != 0 && weaker(child, (child - 1) / 2)) {
        swap(child, (child - 1) / 2);
        child = (child - 1) / 2;
      }
    } else {
      set(0, distance, similarity);
      sink(0, count_);
    }
  }

  /// Puts exact similarities in place, drops peaks that are not above the level after all, and sorts.
  void finish(std::span<const double> inv_freq, double above) noexcept {
    [[maybe_unused]] const Status status =
        distance_kernel(similarity_.first(count_), inv_freq, distance_.first(count_));  // its inputs are checked
    for (std::size_t i = count_; i-- > 0;) {
      if (!(similarity_[i] > above)) swap(i, --count_);
    }
    for (std::size_t i = count_ / 2; i-- > 0;) sink(i, count_);
    for (std::size_t end = count_; end > 1; --end) {
      swap(0, end - 1);
      sink(0, end - 1);
    }
  }

 private:
  void set(std::size_t i, double distance, double similarity) noexcept {
    distance_[i] = distance;
    similarity_[i] = similarity;
  }
  void swap(std::size_t i, std::size_t j) noexcept {
    std::swap(distance_[i], distance_[j]);
    std::swap(similarity_[i], similarity_[j]);
  }
  [[nodiscard]] bool weaker(std::size_t i, std::size_t j) const noexcept {
    if (similarity_[i] != similarity_[j]) return similarity_[i] < similarity_[j];
    return distance_[i] > distance_[j];
  }
  void sink(std::size_t parent, std::size_t end) noexcept {
    for (std::size_t child = 2 * parent + 1; child < end; child = 2 * parent + 1) {
      if (child + 1 < end && weaker(child + 1, child)) ++child;
      if (!weaker(child, parent)) return;
      swap(parent, child);
      parent = child;
    }
  }

  std::span<double> distance_;
  std::span<double> similarity_;
  std::size_t count_ = 0;
};

/// Whether K(n - 1) <= K(n) > K(n + 1), with the exact kernel.
bool is_exact_peak(std::span<const double> inv_freq, double n) noexcept {
  const std::array<double, 3> distances = {n - 1, n, n + 1};
  std::array<double, 3> k{};
  [[maybe_unused]] const Status status = distance_kernel(k, inv_freq, distances);  // its inputs are checked
  return k[0] <= k[1] && k[1] > k[2];
}

Status check(std::span<const double> inv_freq, std::span<double> scratch) noexcept {
  if (inv_freq.empty()) return Status::BadShape;
  if (scratch.size() < kernel_scratch(inv_freq.size())) return Status::WrongLength;
  return check_frequencies(inv_freq);
}

}  // namespace

std::size_t kernel_scratch(std::size_t pairs) noexcept {
  const std::size_t size = product({pairs, KernelScan::kScratchPerPair});
  return size > kTooLarge - KernelScan::kScratch ? kTooLarge : size + KernelScan::kScratch;
}

Status kernel_envelope(std::span<double> minimum, std::span<double> maximum, std::span<double> argmax,
                       std::span<const double> inv_freq, std::span<const double> edges,
                       std::span<double> scratch) noexcept {
  if (edges.size() < 2) return Status::BadShape;
  const std::size_t ranges = edges.size() - 1;
  if (minimum.size() != ranges || maximum.size() != ranges || argmax.size() != ranges) return Status::WrongLength;
  if (const Status status = check(inv_freq, scratch); status != Status::Ok) return status;
  const bool rising = std::ranges::adjacent_find(edges, std::greater_equal()) == edges.end();
  if (!all_whole(edges, kMaxDistance) || edges[0] < 0 || !rising) return Status::OutOfRange;

  std::ranges::fill(minimum, std::numeric_limits<double>::infinity());
  std::ranges::fill(maximum, -std::numeric_limits<double>::infinity());
  std::size_t range = 0;
  KernelScan(inv_freq, scratch).scan(edges.front(), edges.back() - 1, [&](double first, std::span<const double> k) {
    for (std::size_t i = 0; i < k.size(); ++i) {
      const double n = first + static_cast<double>(i);
      if (n == edges[range + 1]) ++range;
      minimum[range] = std::min(minimum[range], k[i]);
      if (k[i] > maximum[range]) {
        maximum[range] = k[i];
        argmax[range] = n;
      }
    }
  });
  return Status::Ok;
}

Status find_aliases(std::span<double> distance, std::span<double> similarity, std::size_t& found,
                    std::span<const double> inv_freq, double from, double to, double above,
                    std::span<double> scratch) noexcept {
  if (distance.empty()) return Status::BadShape;
  if (distance.size() != similarity.size()) return Status::WrongLength;
  if (const Status status = check(inv_freq, scratch); status != Status::Ok) return status;
  if (std::isnan(above)) return Status::NotFinite;
  if (!is_whole(from, kMaxDistance) || !is_whole(to, kMaxDistance - 1)) return Status::OutOfRange;
  if (from < 0 || from > to) return Status::OutOfRange;

  // Twice the error of a scanned value: closer than this, the exact kernel decides.
  const double doubt = static_cast<double>(inv_freq.size() + 16) * 0x1p-52;
  StrongestPeaks peaks(distance, similarity);
  double before = 0, here = 0;  // K(n - 1), K(n)
  KernelScan(inv_freq, scratch).scan(from - 1, to + 1, [&](double first, std::span<const double> k) {
    for (std::size_t i = 0; i < k.size(); ++i) {
      const double after = k[i];
      const double n = first + static_cast<double>(i) - 1;
      const bool rose = here >= before - doubt, falls = here > after - doubt;
      if (n >= from && rose && falls && here > above - doubt && peaks.takes(here)) {
        const bool clear = here > before + doubt && here > after + doubt;
        if (clear || is_exact_peak(inv_freq, n)) peaks.add(n, here);
      }
      before = std::exchange(here, after);
    }
  });
  peaks.finish(inv_freq, above);
  found = peaks.count();
  return Status::Ok;
}

}  // namespace posenc
