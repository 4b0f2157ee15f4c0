#include "transformer_xl.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "check.hpp"
#include "dot.hpp"
#include "phase.hpp"
#include "relative_scores.hpp"

namespace posenc {
namespace {

/// How many relative keys there are; kTooLarge where they cannot be counted.
std::size_t relative_rows(const AttentionShape& s) noexcept {
  return s.query_length > kTooLarge - s.key_length ? kTooLarge : s.query_length + s.key_length;
}

bool is_clamp(double length) noexcept { return length >= 1 && length == std::trunc(length); }
bool is_memory(double length) noexcept { return length >= 0 && is_whole(length, kMaxPosition); }

/// All sines, then all cosines.
void fill_sinusoid(std::span<double> out, double distance, std::span<const double> inv_freq) noexcept {
  for (std::size_t p = 0; p < inv_freq.size(); ++p) {
    const CosSin turn = cos_sin(distance, inv_freq[p]);
    out[p] = turn.sin;
    if (inv_freq.size() + p < out.size()) out[inv_freq.size() + p] = turn.cos;
  }
}

/// The product of row [dim] and projection [dim, columns]; sums [columns] is scratch space.
void project(std::span<float> out, std::span<const double> row, std::span<const float> projection,
             std::span<double> sums) noexcept {
  std::ranges::fill(sums, 0.0);
  for (std::size_t m = 0; m < row.size(); ++m) add_weighted(sums, row[m], projection.data() + m * sums.size());
  std::ranges::transform(sums, out.begin(), [](double sum) { return static_cast<float>(sum); });
}

}  // namespace

Status transformer_xl_keys(std::span<float> out, std::span<const float> projection, std::span<const double> inv_freq,
                           const AttentionShape& shape, std::size_t dim, double memory_length, double clamp_length,
                           std::span<double> scratch) noexcept {
  const std::size_t rows = relative_rows(shape);
  const std::size_t columns = product({shape.heads, shape.head_dim});
  if (!has_sizes(shape) || dim == 0 || rows == kTooLarge || columns > kTooLarge - dim) return Status::BadShape;
  const Status status = check_lengths({{out.size(), product({rows, columns})},
                                       {projection.size(), product({dim, columns})},
                                       {inv_freq.size(), dim / 2 + dim % 2}});
  if (status != Status::Ok) return status;
  if (scratch.size() < dim + columns) return Status::WrongLength;
  if (const Status frequencies = check_frequencies(inv_freq); frequencies != Status::Ok) return frequencies;
  if (!is_memory(memory_length) || !is_clamp(clamp_length)) return Status::OutOfRange;

  const std::span<double> sinusoid = scratch.first(dim);
  const std::span<double> sums = scratch.subspan(dim, columns);
  const auto distance = [&](std::size_t row) {
    const double t = memory_length + static_cast<double>(shape.query_length) - static_cast<double>(row);
    return std::clamp(t, -clamp_length, clamp_length);
  };
  for (std::size_t r = 0; r < rows; ++r) {
    const std::span<float> row = out.subspan(r * columns, columns);
    if (r != 0 && distance(r) == distance(r - 1)) {
      std::ranges::copy(out.subspan((r - 1) * columns, columns), row.begin());
      continue;
    }
    fill_sinusoid(sinusoid, distance(r), inv_freq);
    project(row, sinusoid, projection, sums);
  }
  return Status::Ok;
}

Status transformer_xl_scores(std::span<float> out, const TransformerXlInputs& inputs, const AttentionShape& shape,
                             TransformerXlRule rule, std::span<float> scratch) noexcept {
  const std::size_t rows = relative_rows(shape);
  if (!has_sizes(shape) || rows == kTooLarge) return Status::BadShape;
  const std::size_t dim = shape.head_dim;
  const std::size_t columns = product({shape.heads, dim});
  const Status status = check_lengths({{inputs.query.size(), query_count(shape)},
                                       {inputs.key.size(), key_count(shape)},
                                       {inputs.u.size(), columns},
                                       {inputs.v.size(), columns},
                                       {inputs.relative_keys.size(), product({rows, columns})},
                                       {out.size(), score_count(shape)}});
  if (status != Status::Ok) return status;
  if (scratch.size() < dim || scratch.size() - dim < dim) return Status::WrongLength;
  if (!is_memory(rule.memory_length)) return Status::OutOfRange;

  float* to_key = scratch.data();
  float* to_relative = scratch.data() + dim;
  const double scale = 1 / std::sqrt(static_cast<double>(dim));
  for_each_query(shape, [&](std::size_t b, std::size_t h, std::size_t i) {
    const float* query = query_row(inputs.query, shape, b, h, i);
    for (std::size_t c = 0; c < dim; ++c) {
      to_key[c] = query[c] + inputs.u[h * dim + c];
      to_relative[c] = query[c] + inputs.v[h * dim + c];
    }
    float* scores = out.data() + score_offset(shape, b, h, i);
    for (std::size_t j = 0; j < shape.key_length; ++j) {
      if (rule.causal && static_cast<double>(j) > rule.memory_length + static_cast<double>(i)) {
        scores[j] = -std::numeric_limits<float>::infinity();
        continue;
      }
      // memory_length + i - j is the distance of this row: no shift of the matrix is needed.
      const float* relative_key = inputs.relative_keys.data() + (shape.query_length - i + j) * columns + h * dim;
      const double content = dot(to_key, key_row(inputs.key, shape, dim, b, h, j), dim);
      scores[j] = static_cast<float>((content + dot(to_relative, relative_key, dim)) * scale);
    }
  });
  return Status::Ok;
}

}  // namespace posenc
