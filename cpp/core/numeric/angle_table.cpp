#include "core/numeric/angle_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/numeric/check.hpp"
#include "core/numeric/shape.hpp"
#include "core/numeric/simd.hpp"

namespace posenc {
namespace {

constexpr std::size_t kPairs = AngleBlock::kPairs;

// A row is carried to at most this many rows on either side of it: 2 + 5 k, see set_steps.
constexpr std::size_t kReach = 27;

// Results below this are evaluated afresh. Exact angles are off by 2^-51 at most (AngleBlock). An angle addition of
// values off by e and f is off by sqrt(2) (e + f) + 2^-52: 2^-49.2 when carried once, 2^-47.7 twice. That is less than
// 0.01 ulp of float, 2^-30.7 of the value, as long as the value is above 2^-17.
constexpr double kCancelled = 0x1p-17;

// Below this angle, in radians, nothing cancels that far: cosines are large, and sines keep their relative accuracy,
// since sin(m - j) = s C - c S loses a factor (m + j) / (m - j), less than 2^8 over both additions.
constexpr double kNearlyQuarterTurn = 1.5;

/// kLanes64 cosines and sines.
struct Angles {
  Vec64 cos, sin;
};

/// Cosines and sines of a block of pairs at one position.
struct BlockAngles {
  std::array<double, 2 * kPairs> values;  // all cosines, all sines

  [[nodiscard]] auto cos() noexcept { return std::span(values).template first<kPairs>(); }
  [[nodiscard]] auto sin() noexcept { return std::span(values).template last<kPairs>(); }
};

/// Goes through a block, kLanes pairs at a time. Pointers that move let WebAssembly keep the offsets in its loads.
struct AngleCursor {
  const double* at;

  explicit AngleCursor(const BlockAngles& block) noexcept : at(block.values.data()) {}
  [[nodiscard]] Angles low() const noexcept { return {load(at), load(at + kPairs)}; }
  [[nodiscard]] Angles high() const noexcept { return {load(at + kLanes64), load(at + kLanes64 + kPairs)}; }
  void next() noexcept { at += kLanes; }
};

/// Angles carried forward and backward by the angle addition theorem.
struct Carried {
  Angles after, before;

  Carried(Angles from, Angles step) noexcept {
    const Vec64 cc = from.cos * step.cos, sc = from.sin * step.cos;
    after = {neg_mul_add(from.sin, step.sin, cc), mul_add(from.cos, step.sin, sc)};
    before = {mul_add(from.sin, step.sin, cc), neg_mul_add(from.cos, step.sin, sc)};
  }
};

void carry(const BlockAngles& from, const BlockAngles& step, std::size_t padded_pairs, BlockAngles& after,
           BlockAngles& before) noexcept {
  const auto save = [](BlockAngles& block, std::size_t p, Angles angles) {
    store(&block.values[p], angles.cos);
    store(&block.values[p + kPairs], angles.sin);
  };
  AngleCursor f(from), s(step);
  for (std::size_t p = 0; p < padded_pairs; p += kLanes, f.next(), s.next()) {
    const Carried low(f.low(), s.low()), high(f.high(), s.high());
    save(after, p, low.after);
    save(after, p + kLanes64, high.after);
    save(before, p, low.before);
    save(before, p + kLanes64, high.before);
  }
}

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

/// kLanes cosines and sines in the order of a layout.
struct Columns {
  Vec first, second;
};

/// Goes through the columns sin, cos, sin, cos, ... of a row, kLanes pairs at a time.
struct InterleavedRow {
  float* to;
  std::size_t cosines;  // from here on; there may be one sine more

  static Columns arrange(Angles low, Angles high) noexcept {
    return {narrow_alternating(low.sin, low.cos), narrow_alternating(high.sin, high.cos)};
  }
  void put(Columns columns, WholeVec) const noexcept {
    store(to, columns.first);
    store(to + kLanes, columns.second);
  }
  void put(Columns columns, TailVec tail) const noexcept {
    const std::size_t n = tail.n + std::min(tail.n, cosines);
    store_tail(to, columns.first, std::min(n, kLanes));
    if (n > kLanes) store_tail(to + kLanes, columns.second, n - kLanes);
  }
  void next() noexcept {
    to += 2 * kLanes;
    cosines -= kLanes;
  }
  [[nodiscard]] float* cos(std::size_t pair) const noexcept { return to + 2 * pair + 1; }
  [[nodiscard]] float* sin(std::size_t pair) const noexcept { return to + 2 * pair; }
};

/// Goes through a row whose cosines stand side by side, and its sines, kLanes pairs at a time.
struct SeparateRow {
  float* cos_to;
  float* sin_to;
  std::size_t cosines;  // from here on; there may be one sine more

  static Columns arrange(Angles low, Angles high) noexcept {
    return {narrow(low.cos, high.cos), narrow(low.sin, high.sin)};
  }
  void put(Columns columns, WholeVec) const noexcept {
    store(cos_to, columns.first);
    store(sin_to, columns.second);
  }
  void put(Columns columns, TailVec tail) const noexcept {
    store_tail(cos_to, columns.first, std::min(tail.n, cosines));
    store_tail(sin_to, columns.second, tail.n);
  }
  void next() noexcept {
    cos_to += kLanes;
    sin_to += kLanes;
    cosines -= kLanes;
  }
  [[nodiscard]] float* cos(std::size_t pair) const noexcept { return cos_to + pair; }
  [[nodiscard]] float* sin(std::size_t pair) const noexcept { return sin_to + pair; }
};

/// Looks for results that have cancelled, kLanes pairs at a time. No result exceeds `scale`, so if one is below
/// c scale, its product with another one is below c scale^2. The least square of such products tells in a few
/// instructions that none is; seldom, it is small without need.
class Watch {
 public:
  /// exempt   [pairs]   infinity where nothing can cancel, else 0
  explicit Watch(const float* exempt) noexcept : exempt_(exempt) {}

  void look(Columns columns) noexcept { look(square(columns)); }
  void look(Columns a, Columns b) noexcept { look(xsimd::min(square(a), square(b))); }
  [[nodiscard]] float least() const noexcept { return reduce_min(least_); }

 private:
  static Vec square(Columns columns) noexcept {
    const Vec product = columns.first * columns.second;
    return product * product;
  }
  void look(Vec squares) noexcept {
    least_ = xsimd::min(least_, xsimd::max(squares, load(exempt_)));
    exempt_ += kLanes;
  }

  const float* exempt_;
  Vec least_{std::numeric_limits<float>::infinity()};
};

struct InterleavedRows {
  float* out;
  std::size_t stride;
  std::size_t cosines;

  [[nodiscard]] InterleavedRow at(std::size_t row, std::size_t pair) const noexcept {
    return {out + row * stride + 2 * pair, cosines - std::min(cosines, pair)};
  }
};

struct SeparateRows {
  float* cos_out;
  float* sin_out;
  std::size_t stride;
  std::size_t cosines;

  [[nodiscard]] SeparateRow at(std::size_t row, std::size_t pair) const noexcept {
    return {cos_out + row * stride + pair, sin_out + row * stride + pair, cosines - std::min(cosines, pair)};
  }
};

/// Fills the columns of up to kPairs frequencies.
template <class Rows>
class BlockOfColumns {
 public:
  BlockOfColumns(Rows rows, std::size_t first_pair, std::span<const double> inv_freq, double scale) noexcept
      : rows_(rows),
        first_pair_(first_pair),
        inv_freq_(inv_freq),
        scale_(scale),
        padded_(padded(inv_freq)),
        angles_(std::span(padded_).first(padded_pairs())),
        suspicious_(static_cast<float>(kCancelled * kCancelled * scale * scale * scale * scale)) {}

  void fill(Run run) noexcept {
    set_exempt(std::max(std::abs(run.first), std::abs(run.first + static_cast<double>(run.length - 1))));

    // About as many steps as there are bands of rows to carry them over, so that short runs need few of both.
    const auto reach = std::min(kReach, static_cast<std::size_t>(std::sqrt(static_cast<double>(run.length) / 2)));
    const std::size_t band = 2 * reach + 1;
    set_steps(reach);
    std::size_t done = 0;
    if (run.length >= 3 * band) angles_.cos_sin(static_cast<double>(band), stride_.cos(), stride_.sin());
    for (; run.length - done >= 3 * band; done += 3 * band) {
      const std::size_t centre = done + band + reach;
      set_exact(run.first + static_cast<double>(centre));
      carry(exact_, stride_, padded_pairs(), after_, before_);
      write_band(before_, run, centre - band, reach);
      write_band(exact_, run, centre, reach);
      write_band(after_, run, centre + band, reach);
    }
    while (done < run.length) {
      const std::size_t around = std::min(reach, (run.length - done - 1) / 2);
      set_exact(run.first + static_cast<double>(done + around));
      write_band(exact_, run, done + around, around);
      done += 2 * around + 1;
    }
  }

 private:
  using Row = decltype(std::declval<Rows>().at(0, 0));

  [[nodiscard]] std::size_t padded_pairs() const noexcept { return (inv_freq_.size() + kLanes - 1) / kLanes * kLanes; }

  /// The frequencies, and the last one again up to a whole vector.
  static std::array<double, kPairs> padded(std::span<const double> inv_freq) noexcept {
    std::array<double, kPairs> frequencies;
    frequencies.fill(inv_freq.back());
    std::ranges::copy(inv_freq, frequencies.begin());
    return frequencies;
  }

  void set_exempt(double farthest) noexcept {
    for (std::size_t p = 0; p < padded_pairs(); p += kLanes) {
      const auto is_safe = [farthest](double frequency) { return std::abs(frequency) * farthest < kNearlyQuarterTurn; };
      const bool safe = std::ranges::all_of(std::span(padded_).subspan(p, kLanes), is_safe);
      std::fill_n(&exempt_[p], kLanes, safe ? std::numeric_limits<float>::infinity() : 0.0F);
    }
  }

  /// Angles of 1 ... reach tokens: exact at 1, 2 and multiples of 5, carried from there to the others.
  void set_steps(std::size_t reach) noexcept {
    const auto exact = [this](std::size_t j) -> const BlockAngles& {
      angles_.cos_sin(static_cast<double>(j), step(j).cos(), step(j).sin());
      return step(j);
    };
    for (std::size_t j = 1; j <= std::min<std::size_t>(reach, 2); ++j) exact(j);
    for (std::size_t j = 5; j <= reach + 2; j += 5) {
      const BlockAngles& middle = exact(j);
      for (const std::size_t k : {1, 2}) carry(middle, step(k), padded_pairs(), step(j + k), step(j - k));
    }
  }
  BlockAngles& step(std::size_t j) noexcept { return steps_[j - 1]; }

  void set_exact(double position) noexcept {
    angles_.cos_sin(position, exact_.cos(), exact_.sin());
    if (scale_ == 1) return;
    for (double& value : exact_.values) value *= scale_;
  }

  /// Row `centre` of a run, and as many rows around it.
  void write_band(const BlockAngles& angles, Run run, std::size_t centre, std::size_t around) noexcept {
    const double position = run.first + static_cast<double>(centre);
    write(angles, run.row + centre, position);
    for (std::size_t j = 1; j <= around; ++j) write_carried(angles, step(j), run.row + centre, position, j);
  }

  void write(const BlockAngles& angles, std::size_t row, double position) noexcept {
    Row to = rows_.at(row, first_pair_);
    AngleCursor at(angles);
    Watch watch(exempt_.data());
    for_each_vector(to.cosines, [&](auto lanes) {
      const Columns columns = Row::arrange(at.low(), at.high());
      to.put(columns, lanes);
      watch.look(columns);
      to.next(), at.next();
    });
    if (watch.least() <= suspicious_) repair(row, position);
  }

  /// Rows row + j and row - j.
  void write_carried(const BlockAngles& angles, const BlockAngles& step, std::size_t row, double position,
                     std::size_t j) noexcept {
    Row after = rows_.at(row + j, first_pair_), before = rows_.at(row - j, first_pair_);
    AngleCursor from(angles), by(step);
    Watch watch(exempt_.data());
    for_each_vector(after.cosines, [&](auto lanes) {
      const Carried low(from.low(), by.low()), high(from.high(), by.high());
      const Columns forward = Row::arrange(low.after, high.after), backward = Row::arrange(low.before, high.before);
      after.put(forward, lanes);
      before.put(backward, lanes);
      watch.look(forward, backward);
      after.next(), before.next(), from.next(), by.next();
    });
    if (watch.least() <= suspicious_) {
      repair(row + j, position + static_cast<double>(j));
      repair(row - j, position - static_cast<double>(j));
    }
  }

  /// Calls body(lanes) for every vector of pairs, in order.
  template <class Body>
  void for_each_vector(std::size_t cosines, Body body) const noexcept {
    const std::size_t pairs = inv_freq_.size(), whole = std::min(pairs, cosines) / kLanes;
    for (std::size_t i = 0; i < whole; ++i) body(WholeVec());
    if (const std::size_t n = pairs - whole * kLanes; n != 0) body(TailVec{n});
  }

  /// Evaluates what has cancelled in a row afresh.
  void repair(std::size_t row, double position) const noexcept {
    const Row to = rows_.at(row, first_pair_);
    const auto threshold = static_cast<float>(kCancelled * std::abs(scale_));
    for (std::size_t p = 0; p < inv_freq_.size(); ++p) {
      const bool has_cos = p < to.cosines;
      const bool cancelled = std::abs(*to.sin(p)) < threshold || (has_cos && std::abs(*to.cos(p)) < threshold);
      if (!cancelled) continue;
      const CosSin exact = cos_sin(position, inv_freq_[p]);
      *to.sin(p) = static_cast<float>(exact.sin * scale_);
      if (has_cos) *to.cos(p) = static_cast<float>(exact.cos * scale_);
    }
  }

  Rows rows_;
  std::size_t first_pair_;
  std::span<const double> inv_freq_;
  double scale_;
  std::array<double, kPairs> padded_;
  AngleBlock angles_;
  BlockAngles exact_{}, before_, after_, stride_;
  std::array<BlockAngles, kReach> steps_;
  std::array<float, kPairs> exempt_;  // per vector of pairs, see Watch
  float suspicious_;                  // what Watch sees is at most this if a result has cancelled
};

/// Never inlined, so that a caller of two of these does not hold 150 kB of the stack for each.
template <class Rows>
[[gnu::noinline]] void fill(Rows rows, std::span<const double> inv_freq, Positions positions, double scale) noexcept {
  for (std::size_t first = 0; first < inv_freq.size(); first += kPairs) {
    BlockOfColumns block(rows, first, inv_freq.subspan(first, std::min(kPairs, inv_freq.size() - first)), scale);
    for_each_run(positions, [&](Run run) { block.fill(run); });
  }
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
  const std::size_t cosines = columns - pairs;
  if (layout == AngleLayout::SinCosInterleaved) {
    fill(InterleavedRows{out.data(), dim, cosines}, inv_freq, positions, 1);
  } else {
    const bool cos_first = layout == AngleLayout::CosThenSin;
    float* const cos = cos_first ? out.data() : out.data() + pairs;
    float* const sin = cos_first ? out.data() + cosines : out.data();
    fill(SeparateRows{cos, sin, dim, cosines}, inv_freq, positions, 1);
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
