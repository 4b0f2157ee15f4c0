#include "shaw.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "check.hpp"
#include "dot.hpp"
#include "exp2.hpp"
#include "relative_scores.hpp"

namespace posenc {
namespace {

/// kTooLarge where it does not fit.
std::size_t table_rows(ShawRule rule) noexcept { return rule.clip < kTooLarge / 2 ? 2 * rule.clip + 1 : kTooLarge; }

/// A call whose arguments have been checked.
class Call {
 public:
  Call(const ShawInputs& inputs, const AttentionShape& shape, ShawRule rule, std::span<double> scratch) noexcept
      : inputs_(inputs),
        shape_(shape),
        rule_(rule),
        keys_(scratch.first(shape.key_length)),
        rows_(scratch.subspan(shape.key_length, table_rows(rule))),
        output_(scratch.subspan(shape.key_length + table_rows(rule), shape.value_dim)) {}

  /// The keys that query i may see are 0 ... visible(i) - 1.
  [[nodiscard]] std::size_t visible(std::size_t i) const noexcept {
    if (!rule_.causal) return shape_.key_length;
    return static_cast<std::size_t>(std::clamp(place(i) + 1, 0.0, static_cast<double>(shape_.key_length)));
  }

  /// The scores of query i, in scratch.
  [[nodiscard]] std::span<double> scores(std::size_t b, std::size_t h, std::size_t i) const noexcept {
    const std::span<double> scores = keys_.first(visible(i));
    if (scores.empty()) return scores;
    const float* query = query_row(inputs_.query, shape_, b, h, i);
    const double scale = 1 / std::sqrt(static_cast<double>(shape_.head_dim));
    for (std::size_t r = row(i, 0); r <= row(i, scores.size() - 1); ++r) {
      rows_[r] = dot(query, inputs_.key_table.data() + r * shape_.head_dim, shape_.head_dim);
    }
    for (std::size_t j = 0; j < scores.size(); ++j) {
      const double content = dot(query, key_row(inputs_.key, shape_, shape_.head_dim, b, h, j), shape_.head_dim);
      scores[j] = (content + rows_[row(i, j)]) * scale;
    }
    return scores;
  }

  /// The weighted sum of values, in scratch.
  [[nodiscard]] std::span<const double> output(std::span<const double> weights, std::size_t b, std::size_t h,
                                               std::size_t i) const noexcept {
    std::ranges::fill(output_, 0.0);
    if (weights.empty()) return output_;
    for (std::size_t j = 0; j < weights.size(); ++j) {
      add_weighted(output_, weights[j], key_row(inputs_.value, shape_, shape_.value_dim, b, h, j));
    }
    if (inputs_.value_table.empty()) return output_;

    const std::size_t first = row(i, 0);
    const std::span<double> of_rows = rows_.subspan(first, row(i, weights.size() - 1) - first + 1);
    std::ranges::fill(of_rows, 0.0);
    for (std::size_t j = 0; j < weights.size(); ++j) rows_[row(i, j)] += weights[j];
    for (std::size_t r = 0; r < of_rows.size(); ++r) {
      add_weighted(output_, of_rows[r], inputs_.value_table.data() + (first + r) * shape_.value_dim);
    }
    return output_;
  }

 private:
  /// Where query i stands among the keys.
  [[nodiscard]] double place(std::size_t i) const noexcept { return rule_.query_start + static_cast<double>(i); }

  /// The row of the tables for query i and key j. It does not fall from one key to the next.
  [[nodiscard]] std::size_t row(std::size_t i, std::size_t j) const noexcept {
    const auto clip = static_cast<double>(rule_.clip);
    return static_cast<std::size_t>(std::clamp(static_cast<double>(j) - place(i), -clip, clip) + clip);
  }

  const ShawInputs& inputs_;
  const AttentionShape& shape_;
  ShawRule rule_;
  std::span<double> keys_;    // [key_length]
  std::span<double> rows_;    // [2 clip + 1]
  std::span<double> output_;  // [value_dim]
};

/// From scores to weights, in place.
void softmax(std::span<double> scores) noexcept {
  if (scores.empty()) return;
  const double max = *std::ranges::max_element(scores);
  double sum = 0;
  for (double& score : scores) sum += score = exp2((score - max) * std::numbers::log2e);
  for (double& weight : scores) weight /= sum;
}

/// Rounds a row to floats and fills the rest of it.
void write(std::span<float> out, std::span<const double> values, float rest) noexcept {
  const auto end = std::ranges::transform(values, out.begin(), [](double v) { return static_cast<float>(v); }).out;
  std::fill(end, out.end(), rest);
}

}  // namespace

std::size_t shaw_scratch(const AttentionShape& shape, ShawRule rule) noexcept {
  const std::size_t rows = table_rows(rule);
  if (rows > kTooLarge - shape.key_length) return kTooLarge;
  const std::size_t two = rows + shape.key_length;
  return two > kTooLarge - shape.value_dim ? kTooLarge : two + shape.value_dim;
}

Status shaw_attention(std::span<float> out, const ShawInputs& inputs, const AttentionShape& shape, ShawRule rule,
                      AttentionResult result, std::span<double> scratch) noexcept {
  const std::size_t rows = table_rows(rule);
  const std::size_t needed = shaw_scratch(shape, rule);
  if (!has_sizes(shape) || shape.value_dim == 0 || rows == kTooLarge || needed == kTooLarge) return Status::BadShape;
  const bool is_output = result == AttentionResult::Output;
  const std::size_t outputs = product({shape.batch, shape.query_length, shape.heads, shape.value_dim});
  const Status status = check_lengths({
      {inputs.query.size(), query_count(shape)},
      {inputs.key.size(), key_count(shape)},
      {inputs.value.size(), product({shape.batch, shape.key_length, shape.kv_heads, shape.value_dim})},
      {inputs.key_table.size(), product({rows, shape.head_dim})},
      {inputs.value_table.size(), inputs.value_table.empty() ? 0 : product({rows, shape.value_dim})},
      {out.size(), is_output ? outputs : score_count(shape)},
  });
  if (status != Status::Ok) return status;
  if (scratch.size() < needed) return Status::WrongLength;
  if (!is_whole(rule.query_start, kMaxPosition)) return Status::OutOfRange;

  const Call call(inputs, shape, rule, scratch);
  for_each_query(shape, [&](std::size_t b, std::size_t h, std::size_t i) {
    const std::span<double> row = call.scores(b, h, i);
    if (result != AttentionResult::Scores) softmax(row);
    if (is_output) {
      const std::size_t at = token_offset(shape.format, shape.heads, shape.query_length, shape.value_dim, b, h, i);
      write(out.subspan(at, shape.value_dim), call.output(row, b, h, i), 0);
    } else {
      const float masked = result == AttentionResult::Scores ? -std::numeric_limits<float>::infinity() : 0;
      write(out.subspan(score_offset(shape, b, h, i), shape.key_length), row, masked);
    }
  });
  return Status::Ok;
}

}  // namespace posenc
