#include "core/relative/transformer_xl.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/numeric/check.hpp"
#include "core/numeric/phase.hpp"
#include "core/relative/relative_scores.hpp"

namespace posenc {
namespace {

/// How many relative keys there are; kTooLarge where they cannot be counted.
std::size_t relative_rows(const AttentionShape& s) noexcept {
  return s.query_length > kTooLarge - s.key_length ? kTooLarge : s.query_length + s.key_length;
}

bool is_clamp(double length) noexcept { return length >= 1 && length == std::trunc(length); }

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
  for (std::size_t m = 0; m < row.size(); ++m) {
    const float* from = projection.data() + m * sums.size();
    for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += row[m] * static_cast<double>(from[c]);
  }
  std::ranges::transform(sums, out.begin(), [](double sum) { return static_cast<float>(sum); });
}

/// The queries of a block, each plus what `offsets` [heads, head_dim] has for their head.
ConstRows shift_queries(std::span<const float> offsets, const ScoreBlock& block,
                        const ScoreOperands& operands) noexcept {
  const std::size_t dim = block.shape->head_dim;
  const float* offset = offsets.data() + block.head * dim;
  for (std::size_t r = 0; r < block.queries; ++r) {
    std::transform(offset, offset + dim, operands.queries[r], operands.shifted[r], std::plus());
  }
  return operands.shifted;
}

}  // namespace

Status transformer_xl_keys(std::span<float> out, std::span<const float> projection, std::span<const double> inv_freq,
                           const AttentionShape& shape, std::size_t dim, double first_distance, double clamp_length,
                           std::span<double> scratch) noexcept {
  const std::size_t rows = relative_rows(shape);
  const std::size_t columns = product({shape.heads, shape.head_dim});
  if (shape.query_length == 0 || shape.key_length == 0 || columns == 0 || dim == 0 || rows == kTooLarge ||
      columns > kTooLarge - dim)
    return Status::BadShape;
  const Status status = check_lengths({{out.size(), product({rows, columns})},
                                       {projection.size(), product({dim, columns})},
                                       {inv_freq.size(), dim / 2 + dim % 2}});
  if (status != Status::Ok) return status;
  if (scratch.size() < dim + columns) return Status::WrongLength;
  if (const Status frequencies = check_frequencies(inv_freq); frequencies != Status::Ok) return frequencies;
  if (!is_whole(first_distance, kMaxPosition) || !is_clamp(clamp_length)) return Status::OutOfRange;

  const std::span<double> sinusoid = scratch.first(dim);
  const std::span<double> sums = scratch.subspan(dim, columns);
  const auto distance = [&](std::size_t row) {
    const double t = first_distance + static_cast<double>(shape.query_length) - static_cast<double>(row);
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

Status TransformerXlTerm::check(const AttentionShape& shape, DistanceRange) const noexcept {
  const std::size_t columns = product({shape.heads, shape.head_dim});
  const std::size_t rows = relative_rows(shape);
  if (rows > std::numeric_limits<std::uint32_t>::max()) return Status::BadShape;
  if (!is_whole(static_cast<double>(first_distance_), 2 * kMaxPosition)) return Status::OutOfRange;
  const Status status = check_lengths({{u_.size(), columns},
                                       {v_.size(), columns},
                                       {relative_keys_.size(), product({rows, columns})},
                                       {segments_.bias.size(), segments_.bias.empty() ? 0 : columns},
                                       {segments_.table.size(), segments_.bias.empty() ? 0 : product({2, columns})}});
  if (status != Status::Ok || segments_.bias.empty()) return status;
  const auto fits = [&](std::span<const std::uint32_t> segment, std::size_t length) {
    return segment.size() == length || segment.size() == product({shape.batch, length});
  };
  const bool fit = fits(segments_.query_segment, shape.query_length) && fits(segments_.key_segment, shape.key_length);
  return fit ? Status::Ok : Status::WrongLength;
}

const float* TransformerXlTerm::query_offset(std::size_t head, const AttentionShape& shape) const noexcept {
  return u_.data() + head * shape.head_dim;
}

void TransformerXlTerm::add(Rows scores, const ScoreBlock& block, const ScoreOperands& operands) const noexcept {
  const AttentionShape& shape = *block.shape;
  const std::size_t columns = shape.heads * shape.head_dim;
  // By the distance of a pair: no shift of a matrix is needed.
  const std::int64_t row_0 = first_distance_ + static_cast<std::int64_t>(shape.query_length);
  const auto last = static_cast<std::int64_t>(relative_rows(shape)) - 1;
  const DistanceRows rows(block, [=](std::int64_t distance) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(row_0 - distance, 0, last));
  });
  add_query_products(scores, shift_queries(v_, block, operands),
                     {relative_keys_.data() + block.head * shape.head_dim, columns}, rows, block, operands);
  if (!segments_.bias.empty()) add_segments(scores, block, operands);
}

void TransformerXlTerm::add_segments(Rows scores, const ScoreBlock& block,
                                     const ScoreOperands& operands) const noexcept {
  const AttentionShape& shape = *block.shape;
  const ConstRows table{segments_.table.data() + block.head * shape.head_dim, shape.heads * shape.head_dim};
  score_rows(operands.products, shift_queries(segments_.bias, block, operands), block.queries, table, 2,
             shape.head_dim);
  const auto of_sequence = [&](std::span<const std::uint32_t> segment, std::size_t length) {
    return segment.data() + (segment.size() == length ? 0 : block.batch * length);
  };
  const std::uint32_t* queries = of_sequence(segments_.query_segment, shape.query_length) + block.first_query;
  const std::uint32_t* keys = of_sequence(segments_.key_segment, shape.key_length) + block.first_key;
  for (std::size_t r = 0; r < block.queries; ++r) {
    const float same = operands.scale * operands.products[r][0];
    const float other = operands.scale * operands.products[r][1];
    for (std::size_t k = 0; k < block.keys; ++k) scores[r][k] += queries[r] == keys[k] ? same : other;
  }
}

}  // namespace posenc
