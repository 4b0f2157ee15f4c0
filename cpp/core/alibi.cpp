#include "alibi.hpp"

#include <bit>
#include <cmath>

#include "exp2.hpp"

namespace posenc {
namespace {

/// 0 - x rather than -x, so that no distance gives 0 and not -0.
float linear_bias(double slope, double distance, AlibiForm form) noexcept {
  return static_cast<float>(0.0 - slope * (form == AlibiForm::Symmetric ? std::abs(distance) : distance));
}

/// Which key the first query is, where the queries are among the keys.
double first_key_of_queries(const BiasShape& shape) noexcept { return shape.query_start - shape.key_start; }

/// Whether every query of the shape is one of its keys.
bool queries_are_keys(const BiasShape& shape) noexcept {
  const double first = first_key_of_queries(shape);
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

  if (!all_whole(positions, kMaxPosition) || !queries_are_keys(shape)) return Status::OutOfRange;
  const std::span<const double> queries = positions.subspan(static_cast<std::size_t>(first_key_of_queries(shape)));
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

}  // namespace posenc
