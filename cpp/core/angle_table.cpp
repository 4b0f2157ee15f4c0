#include "angle_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "check.hpp"
#include "shape.hpp"
#include "simd.hpp"

namespace posenc {
namespace {

constexpr std::size_t kPairs = AngleBlock::kPairs;

// An exact row is carried at most this many rows to either side.
constexpr std::size_t kReach = 16;

// Results below this are evaluated afresh. The exact row and the step are each off by at most 2^-51 (AngleBlock), so
// their combination is off by 2^-51 (|C| + |S| + |c| + |s|) + 2^-52 < 2^-49.3: less than 0.01 ulp of float, 2^-30.6 of
// the value, as long as the value is above 2^-18.6.
constexpr double kCancelled = 0x1p-18;

// Below this angle, in radians, nothing cancels that far: cosines are large, and sines keep their relative accuracy,
// since sin(m - j) = s C - c S loses at most a factor (m + j) / (m - j) <= 2 kReach + 1.
constexpr double kNearlyQuarterTurn = 1.5;

/// Cosines and sines of a block of pairs, times one angle each.
struct BlockAngles {
  std::array<double, kPairs> cos;
  std::array<double, kPairs> sin;
};

/// Rows [row, row + length) of a table, which stand for the positions first, first + 1, ...
struct Run {
  std::size_t row;
  std::size_t length;
  double first;
};

/// Calls visit(run) for runs of consecutive positions on one side of zero. At position zero every sine vanishes,
/// whatever its frequency, so that row is a run of its own.
template <class Visit>
void for_each_run(Positions positions, Visit visit) noexcept {
  for (std::size_t row = 0; row < positions.length;) {
    std::size_t length = 1;
    double first = 0;
    if (positions.values.empty()) {
      first = positions.start + static_cast<double>(row);
      const std::size_t left = positions.length - row;
      if (first > 0) length = left;
      if (first < 0) length = static_cast<std::size_t>(std::min(-first, static_cast<double>(left)));
    } else {
      const auto values = positions.values.subspan(row);
      first = values[0] + 0.0;  // no negative zero
      while (first != 0 && length < values.size() && values[length] != 0 && values[length] == values[length - 1] + 1) {
        ++length;
      }
    }
    visit(Run{row, length, first});
    row += length;
  }
}

/// Rows of alternating columns sin, cos.
struct InterleavedRows {
  float* out;
  std::size_t stride;
  std::size_t cosines;  // columns; there may be one sine more

  void store_pairs(std::size_t row, std::size_t pair, Vec cos, Vec sin) const noexcept {
    const auto [low, high] = interleave(sin, cos);
    float* const to = out + row * stride + 2 * pair;
    store(to, low);
    store(to + kLanes, high);
  }
  void store_last_pairs(std::size_t row, std::size_t pair, Vec cos, Vec sin, std::size_t n) const noexcept {
    const auto [low, high] = interleave(sin, cos);
    float* const to = out + row * stride + 2 * pair;
    const std::size_t columns = n + std::min(n, cosines - pair);
    store_tail(to, low, std::min(columns, kLanes));
    if (columns > kLanes) store_tail(to + kLanes, high, columns - kLanes);
  }
  void store_pair(std::size_t row, std::size_t pair, float cos, float sin) const noexcept {
    float* const to = out + row * stride + 2 * pair;
    to[0] = sin;
    if (pair < cosines) to[1] = cos;
  }
};

/// Rows with all cosines side by side, and all sines side by side.
struct SeparateRows {
  float* cos_out;
  float* sin_out;
  std::size_t stride;
  std::size_t cosines;  // columns; there may be one sine more

  void store_pairs(std::size_t row, std::size_t pair, Vec cos, Vec sin) const noexcept {
    store(cos_out + row * stride + pair, cos);
    store(sin_out + row * stride + pair, sin);
  }
  void store_last_pairs(std::size_t row, std::size_t pair, Vec cos, Vec sin, std::size_t n) const noexcept {
    store_tail(cos_out + row * stride + pair, cos, std::min(n, cosines - pair));
    store_tail(sin_out + row * stride + pair, sin, n);
  }
  void store_pair(std::size_t row, std::size_t pair, float cos, float sin) const noexcept {
    if (pair < cosines) cos_out[row * stride + pair] = cos;
    sin_out[row * stride + pair] = sin;
  }
};

/// Fills the columns of up to kPairs frequencies.
template <class Rows>
class BlockOfColumns {
 public:
  BlockOfColumns(Rows rows, std::size_t first_pair, std::span<const double> inv_freq, double scale) noexcept
      : rows_(rows), first_pair_(first_pair), inv_freq_(inv_freq), scale_(scale), angles_(inv_freq) {}

  void fill(Run run) noexcept {
    set_thresholds(std::max(std::abs(run.first), std::abs(run.first + static_cast<double>(run.length - 1))));

    // About as many exact rows as steps, so that short runs need few of both.
    const auto reach = std::min(kReach, static_cast<std::size_t>(std::sqrt(static_cast<double>(run.length) / 2)));
    for (std::size_t j = 1; j <= reach; ++j) {
      angles_.cos_sin(static_cast<double>(j), steps_[j - 1].cos, steps_[j - 1].sin);
    }
    for (std::size_t done = 0; done < run.length;) {
      const std::size_t around = std::min(reach, (run.length - done - 1) / 2);
      const std::size_t centre = done + around;
      const double position = run.first + static_cast<double>(centre);
      set_exact(position);
      write_exact(run.row + centre, position);
      for (std::size_t j = 1; j <= around; ++j) write_carried(run.row + centre, position, j);
      done += 2 * around + 1;
    }
  }

 private:
  /// The least of several results per lane, to see whether one of them has cancelled.
  static Vec least(Vec a, Vec b) noexcept { return xsimd::min(xsimd::abs(a), xsimd::abs(b)); }

  void set_thresholds(double farthest) noexcept {
    for (std::size_t p = 0; p < inv_freq_.size(); ++p) {
      const bool safe = std::abs(inv_freq_[p]) * farthest < kNearlyQuarterTurn;
      thresholds_[p] = safe ? 0.0F : static_cast<float>(kCancelled * std::abs(scale_));
    }
  }

  void set_exact(double position) noexcept {
    angles_.cos_sin(position, exact_.cos, exact_.sin);
    for (std::size_t p = 0; p < inv_freq_.size(); ++p) {
      exact_.cos[p] *= scale_;
      exact_.sin[p] *= scale_;
    }
  }

  void write_exact(std::size_t row, double position) noexcept {
    Mask cancelled(false);
    for_each_vector([&](std::size_t p, auto save) {
      const Vec cos = narrow(load(&exact_.cos[p]), load(&exact_.cos[p + kLanes64]));
      const Vec sin = narrow(load(&exact_.sin[p]), load(&exact_.sin[p + kLanes64]));
      save(row, cos, sin);
      cancelled = cancelled | (least(cos, sin) < load(&thresholds_[p]));
    });
    if (xsimd::any(cancelled)) evaluate_afresh(row, position);
  }

  /// Rows row + j and row - j by the angle addition theorem.
  void write_carried(std::size_t row, double position, std::size_t j) noexcept {
    const BlockAngles& step = steps_[j - 1];
    Mask cancelled(false);
    for_each_vector([&](std::size_t p, auto save) {
      const auto turned = [&](std::size_t i) {
        struct {
          Vec64 cos_after, sin_after, cos_before, sin_before;
        } half;
        const Vec64 c = load(&exact_.cos[i]), s = load(&exact_.sin[i]);
        const Vec64 step_c = load(&step.cos[i]), step_s = load(&step.sin[i]);
        const Vec64 cc = c * step_c, sc = s * step_c;
        half.cos_after = neg_mul_add(s, step_s, cc);
        half.cos_before = mul_add(s, step_s, cc);
        half.sin_after = mul_add(c, step_s, sc);
        half.sin_before = neg_mul_add(c, step_s, sc);
        return half;
      };
      const auto low = turned(p);
      const auto high = turned(p + kLanes64);
      const Vec cos_after = narrow(low.cos_after, high.cos_after), sin_after = narrow(low.sin_after, high.sin_after);
      const Vec cos_before = narrow(low.cos_before, high.cos_before);
      const Vec sin_before = narrow(low.sin_before, high.sin_before);
      save(row + j, cos_after, sin_after);
      save(row - j, cos_before, sin_before);
      const Vec smallest = xsimd::min(least(cos_after, sin_after), least(cos_before, sin_before));
      cancelled = cancelled | (smallest < load(&thresholds_[p]));
    });
    if (xsimd::any(cancelled)) {
      evaluate_afresh(row + j, position + static_cast<double>(j));
      evaluate_afresh(row - j, position - static_cast<double>(j));
    }
  }

  /// Calls body(p, save) for every vector of pairs; save(row, cos, sin) stores it, whole or in part.
  template <class Body>
  void for_each_vector(Body body) const noexcept {
    const std::size_t pairs = inv_freq_.size();
    const std::size_t both = std::min(pairs, rows_.cosines - std::min(rows_.cosines, first_pair_));
    std::size_t p = 0;
    for (; p + kLanes <= both; p += kLanes) {
      body(p, [&](std::size_t row, Vec cos, Vec sin) { rows_.store_pairs(row, first_pair_ + p, cos, sin); });
    }
    if (const std::size_t n = pairs - p; n != 0) {
      body(p, [&](std::size_t row, Vec cos, Vec sin) { rows_.store_last_pairs(row, first_pair_ + p, cos, sin, n); });
    }
  }

  void evaluate_afresh(std::size_t row, double position) const noexcept {
    for (std::size_t p = 0; p < inv_freq_.size(); ++p) {
      const CosSin exact = cos_sin(position, inv_freq_[p]);
      rows_.store_pair(row, first_pair_ + p, static_cast<float>(exact.cos * scale_),
                       static_cast<float>(exact.sin * scale_));
    }
  }

  Rows rows_;
  std::size_t first_pair_;
  std::span<const double> inv_freq_;
  double scale_;
  AngleBlock angles_;
  BlockAngles exact_;
  std::array<BlockAngles, kReach> steps_;
  std::array<float, kPairs> thresholds_{};
};

template <class Rows>
void fill(Rows rows, std::span<const double> inv_freq, Positions positions, double scale) noexcept {
  for (std::size_t first = 0; first < inv_freq.size(); first += kPairs) {
    BlockOfColumns block(rows, first, inv_freq.subspan(first, std::min(kPairs, inv_freq.size() - first)), scale);
    for_each_run(positions, [&](Run run) { block.fill(run); });
  }
}

Status check_positions(Positions positions) noexcept {
  if (positions.length == 0) return Status::BadShape;
  if (positions.values.empty()) {
    const double last = positions.start + static_cast<double>(positions.length - 1);
    return is_whole(positions.start, kMaxPosition) && last <= kMaxPosition ? Status::Ok : Status::OutOfRange;
  }
  if (positions.values.size() != positions.length) return Status::WrongLength;
  return all_whole(positions.values, kMaxPosition) ? Status::Ok : Status::OutOfRange;
}

}  // namespace

Status sin_cos_rows(std::span<float> out, std::span<const double> inv_freq, Positions positions, std::size_t dim,
                    AngleLayout layout) noexcept {
  const std::size_t pairs = inv_freq.size();
  if (dim == 0 || pairs > dim / 2 + dim % 2) return Status::BadShape;
  if (product({positions.length, dim}) != out.size()) return Status::WrongLength;
  if (const Status status = check_positions(positions); status != Status::Ok) return status;
  if (const Status status = check_frequencies(inv_freq); status != Status::Ok) return status;

  const std::size_t columns = std::min(2 * pairs, dim);
  if (layout == AngleLayout::SinCosInterleaved) {
    fill(InterleavedRows{out.data(), dim, columns - pairs}, inv_freq, positions, 1);
  } else {
    fill(SeparateRows{out.data() + pairs, out.data(), dim, columns - pairs}, inv_freq, positions, 1);
  }
  for (std::size_t row = 0; row < positions.length; ++row) {
    std::fill_n(out.data() + row * dim + columns, dim - columns, 0.0F);
  }
  return Status::Ok;
}

Status cos_sin_tables(std::span<float> cos, std::span<float> sin, std::span<const double> inv_freq, Positions positions,
                      double scale) noexcept {
  const std::size_t pairs = inv_freq.size();
  if (pairs == 0) return Status::BadShape;
  if (product({positions.length, pairs}) != cos.size() || cos.size() != sin.size()) return Status::WrongLength;
  if (const Status status = check_positions(positions); status != Status::Ok) return status;
  if (const Status status = check_frequencies(inv_freq); status != Status::Ok) return status;
  if (!std::isfinite(scale)) return Status::NotFinite;

  fill(SeparateRows{cos.data(), sin.data(), pairs, pairs}, inv_freq, positions, scale);
  return Status::Ok;
}

}  // namespace posenc
