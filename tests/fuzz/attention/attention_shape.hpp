#pragma once

#include "core/attention/attention.hpp"
#include "fuzz/source.hpp"

// What the fuzzers of attention and scores share.

namespace posenc::fuzz {

[[nodiscard]] inline AttentionShape attention_shape(Source& source) noexcept {
  AttentionShape shape;
  shape.batch = source.size(3);
  shape.heads = source.size(6);
  shape.kv_heads = source.size(6);
  shape.query_length = source.size(70);
  shape.key_length = source.size(70);
  shape.head_dim = source.size(40);
  shape.value_dim = source.size(40);
  shape.format = source.one_of({TensorFormat::Bshd, TensorFormat::Bhsd});
  return shape;
}

[[nodiscard]] inline AttentionResult attention_result(Source& source) noexcept {
  return source.one_of({AttentionResult::Output, AttentionResult::Weights, AttentionResult::Scores});
}

[[nodiscard]] inline Product query_size(const AttentionShape& s) noexcept {
  return {s.batch, s.query_length, s.heads, s.head_dim};
}
[[nodiscard]] inline Product key_size(const AttentionShape& s) noexcept {
  return {s.batch, s.key_length, s.kv_heads, s.head_dim};
}
[[nodiscard]] inline Product value_size(const AttentionShape& s) noexcept {
  return {s.batch, s.key_length, s.kv_heads, s.value_dim};
}
[[nodiscard]] inline Product score_size(const AttentionShape& s) noexcept {
  return {s.batch, s.heads, s.query_length, s.key_length};
}
[[nodiscard]] inline Product result_size(const AttentionShape& s, AttentionResult result) noexcept {
  if (result != AttentionResult::Output) return score_size(s);
  return {s.batch, s.query_length, s.heads, s.value_dim};
}

/// A scratch of as many numbers as a function asks for, none more; or one less, which a call has to notice. More than
/// could be allocated is cut short, which it has to notice as well.
template <class Number>
[[nodiscard]] std::vector<Number> scratch(Source& source, std::size_t needed) {
  return std::vector<Number>(source.length({needed}));
}

/// What holds for results whose inputs are finite: weights of a row sum to 1, or to less where a sink takes its share,
/// and to 0 where there is no key; outputs lie between the values.
inline void require_weights(std::span<const float> weights, std::size_t keys, bool has_sinks) noexcept {
  for (std::size_t first = 0; first < weights.size(); first += keys) {
    double sum = 0;
    for (const float weight : weights.subspan(first, keys)) {
      require(weight >= 0 && weight <= 1.00001F, "a weight is from 0 to 1");
      sum += static_cast<double>(weight);
    }
    require(sum == 0 || has_sinks || std::abs(sum - 1) < 1e-4, "the weights of a row sum to 1");
  }
}

/// A position near 0, or any number.
[[nodiscard]] inline std::int64_t whole_position(Source& source) noexcept {
  const double position = source.position(0);
  return std::abs(position) <= 0x1p62 ? static_cast<std::int64_t>(position) : std::numeric_limits<std::int64_t>::min();
}

/// Attention in which an encoding takes part. `fits` says whether the tensors of the encoding do.
inline Status attend_with(Source& source, const AttentionShape& shape, const BiasTerm* bias,
                          const RelativeTerm* relative, bool fits) {
  const AttentionResult result = attention_result(source);
  const AttentionRule rule{.scale = 0.5F, .query_start = whole_position(source), .causal = source.flag()};
  const auto query = source.numbers<float>(source.length(query_size(shape)));
  const auto key = source.numbers<float>(source.length(key_size(shape)));
  const auto value = source.numbers<float>(source.length(value_size(shape)));
  const AttentionInputs inputs{
      .query = query, .key = key, .value = value, .bias_term = bias, .relative_term = relative};
  Output<float> out(source.length(result_size(shape, result)));
  auto space = scratch<float>(source, attention_scratch(shape));
  const Status status = attention(out.span(), inputs, {}, shape, rule, result, space);
  const bool all_fit = fits && query_size(shape).is(query.size()) && key_size(shape).is(key.size()) &&
                       (value.empty() ? result != AttentionResult::Output : value_size(shape).is(value.size())) &&
                       result_size(shape, result).is(out.values().size());
  require_contract(status, all_fit, out);
  return status;
}

}  // namespace posenc::fuzz
