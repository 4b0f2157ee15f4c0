#include "core/relative/alibi.hpp"

#include <bit>
#include <cmath>

#include "core/numeric/check.hpp"
#include "core/numeric/exp2.hpp"

namespace posenc {
namespace {

/// 0 - x rather than -x, so that no distance gives 0 and not -0.
float linear_bias(double slope, double distance, AlibiForm form) noexcept {
  return static_cast<float>(0.0 - slope * (form == AlibiForm::Symmetric ? std::abs(distance) : distance));
}

/// Whether every query from `first` on is one of the keys.
bool queries_are_keys(double first, const BiasShape& shape) noexcept {
  return first >= 0 && first + static_cast<double>(shape.query_length) <= static_cast<double>(shape.key_length);
}

}  // namespace

Status alibi_slopes(std::span<double> out, AlibiRule rule, double bias_max) noexcept {
  if (out.empty()) return Status::BadShape;
  if (!std::isfinite(bias_max)) return Status::NotFinite;
  if (bias_max <= 0) return Status::OutOfRange;

  const std::size_t series = rule == AlibiRule::Geometric ? out.size() : std::bit_floor(out.size());
  const auto steps = static_cast<double>(series);
  for (std::size_t h = 0; h < out.size(); ++h) {
    const double step = h < series ? static_cast<double>(h + 1) : static_cast<double>(h - series) + 0.5;
    out[h] = exp2(-bias_max * step / steps);
  }
  return Status::Ok;
}

Status alibi_bias(std::span<float> out, std::span<const double> slopes, std::span<const double> positions,
                  BiasShape shape, AlibiForm form) noexcept {
  if (const Status status = check_bias(out, shape); status != Status::Ok) return status;
  if (slopes.size() != shape.heads) return Status::WrongLength;
  if (!positions.empty() && positions.size() != shape.key_length) return Status::WrongLength;
  if (!all_finite(slopes)) return Status::NotFinite;

  if (positions.empty()) {
    fill_by_distance(out, shape, [=](double distance) {
      return [=](std::size_t head) { return linear_bias(slopes[head], distance, form); };
    });
    return Status::Ok;
  }

  const double first = shape.query_start - shape.key_start;  // the key that the first query is
  if (!all_whole(positions, kMaxPosition) || !queries_are_keys(first, shape)) {
    return Status::OutOfRange;
  }
  const std::span<const double> queries = positions.subspan(static_cast<std::size_t>(first));
  for (std::size_t h = 0; h < shape.heads; ++h) {
    for (std::size_t i = 0; i < shape.query_length; ++i) {
      float* row = out.data() + shape.row(h, i);
      for (std::size_t j = 0; j < shape.key_length; ++j) {
        row[j] = linear_bias(slopes[h], queries[i] - positions[j], form);
      }
    }
  }
  return Status::Ok;
}

Status AlibiTerm::check(const AttentionShape& shape, DistanceRange distances) const noexcept {
  if (slopes_.size() != shape.heads) return Status::WrongLength;
  if (!all_finite(slopes_)) return Status::NotFinite;
  if (positions_.size() != shape.key_length && positions_.size() != product({shape.batch, shape.key_length})) {
    return Status::WrongLength;
  }
  const auto last = static_cast<std::int64_t>(shape.key_length) - 1;
  const bool queries_are_keys = distances.least >= -last && distances.greatest <= last;
  return queries_are_keys && all_whole(positions_, kMaxPosition) ? Status::Ok : Status::OutOfRange;
}

void AlibiTerm::add(float* scores, const ScoreBlock& block) const noexcept {
  const std::size_t length = block.shape->key_length;
  const double* keys = positions_.data() + (positions_.size() == length ? 0 : block.batch * length);
  const std::int64_t query_key =  // the key whose place the query has
      block.query_position - block.key_position + static_cast<std::int64_t>(block.first_key);
  const double query = keys[static_cast<std::size_t>(query_key)];
  const auto slope = static_cast<float>(slopes_[block.head]);
  keys += block.first_key;
  for (std::size_t k = 0; k < block.keys; ++k) scores[k] -= slope * static_cast<float>(std::abs(query - keys[k]));
}

}  // namespace posenc
