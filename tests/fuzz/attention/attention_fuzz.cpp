#include "core/attention/attention.hpp"
#include "fuzz/attention/attention_shape.hpp"

namespace posenc::fuzz {
namespace {

std::size_t window_side(Source& source) noexcept { return source.flag() ? source.size(80) : kUnbounded; }

/// Numbers between -1 and 1 of which about one in four is -infinity.
std::vector<float> additive_mask(Source& source, std::size_t length) {
  std::vector<float> mask = source.numbers<float>(length);
  for (float& added : mask) added = added < -0.5F ? -std::numeric_limits<float>::infinity() : added;
  return mask;
}

}  // namespace

// Bytes after the shape: result, causal, window (two each side, or one), softcap, scale, two positions, optional
// inputs.
Seeds seeds() {
  return {{1, 1, 1, 1, 1, 1, 1},
          {2, 4, 2, 5, 30, 16, 7, 1, 0, 1},
          {1, 2, 2, 60, 70, 20, 33, 0, 1, 1, 1, 9},
          {1, 6, 1, 40, 40, 40, 40, 0, 2, 0, 0, 0, 1},
          {1, 2, 1, 9, 70, 8, 8, 0, 0, 1, 0, 0, 0, 0, 127, 0, 0, 0, 16},
          {2, 2, 1, 7, 9, 8, 8, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 31},
          {2, 2, 2, 20, 20, 8, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 192, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8}};
}

Status run(Source source) {
  AttentionShape shape = attention_shape(source);
  const auto result = source.one_of({AttentionResult::Output, AttentionResult::Weights, AttentionResult::Scores,
                                     AttentionResult::Capped, AttentionResult::Scaled});
  AttentionRule rule;
  rule.causal = source.flag();
  rule.window_left = window_side(source);
  rule.window_right = window_side(source);
  rule.softcap = source.flag() ? static_cast<float>(source.number(5)) : 0;
  rule.scale = static_cast<float>(source.number(0.25));
  rule.query_start = whole_position(source);
  if (source.flag()) rule.query_start.reset();
  rule.key_start = whole_position(source);

  const unsigned options = source.byte() | static_cast<unsigned>(source.byte()) << 8;
  const auto has = [options](unsigned option) { return (options >> option & 1U) != 0; };
  if (has(12)) shape.key_length *= 8;  // several blocks of keys
  if (has(8)) shape.key_capacity = shape.key_length + source.size(9);
  if (has(9)) shape.key_format = source.one_of({TensorFormat::Bshd, TensorFormat::Bhsd});
  const std::size_t capacity = has(8) ? shape.key_capacity : shape.key_length;
  const Product key_size{shape.batch, capacity, shape.kv_heads, shape.head_dim};
  const Product value_size{shape.batch, capacity, shape.kv_heads, shape.value_dim};
  const Product matrix{shape.heads, shape.query_length, shape.key_length};
  const MaskShape mask_shape{.batches = source.flag() ? source.size(3) : shape.batch,
                             .heads = source.flag() ? source.size(1) : shape.heads,
                             .queries = source.flag() ? source.size(1) : shape.query_length,
                             .keys = source.flag() ? source.size(70) : shape.key_length};
  const Product mask_size{mask_shape.batches, mask_shape.heads, mask_shape.queries, mask_shape.keys};

  const auto query = source.numbers<float>(source.length(query_size(shape)));
  const auto key = source.numbers<float>(source.length(key_size));
  std::vector<float> value;
  if (!has(11)) value = source.numbers<float>(source.length(value_size));
  std::vector<float> bias, added, sinks;
  std::vector<std::uint8_t> mask, key_valid;
  std::vector<std::uint32_t> key_lengths;
  if (has(0)) bias = source.numbers<float>(source.length(matrix));
  if (has(2)) added = additive_mask(source, source.length(mask_size));
  if (has(3)) mask = source.bits(source.length(mask_size));
  if (has(4)) key_valid = source.bits(source.length({source.flag() ? shape.batch : 1, shape.key_length}));
  if (has(10)) key_lengths = source.rows(source.length({shape.batch}), shape.key_length + 1);
  if (has(5)) sinks = source.numbers<float>(source.length({shape.heads}));

  AttentionRope rope;
  std::vector<float> query_cos, query_sin, key_cos, key_sin;
  if (has(6)) {
    rope.rotary_dim = source.size(40);
    rope.pairing = source.one_of({Pairing::Half, Pairing::Interleaved});
    const std::size_t pairs = rope.rotary_dim / 2, batches = source.flag() ? shape.batch : 1;
    query_cos = source.numbers<float>(source.length({batches, shape.query_length, pairs}));
    query_sin = source.numbers<float>(source.length({batches, shape.query_length, pairs}));
    if (has(7)) key_cos = source.numbers<float>(source.length({batches, shape.key_length, pairs}));
    if (has(7)) key_sin = source.numbers<float>(source.length({batches, shape.key_length, pairs}));
    rope.query_cos = query_cos, rope.query_sin = query_sin;
    rope.key_cos = key_cos, rope.key_sin = key_sin;
  }

  const AttentionInputs inputs{.query = query,
                               .key = key,
                               .value = value,
                               .bias = bias,
                               .additive_mask = added,
                               .mask = mask,
                               .mask_shape = mask_shape,
                               .key_valid = key_valid,
                               .key_lengths = key_lengths,
                               .sinks = sinks};
  Output<float> out(source.length(result_size(shape, result)));
  auto space = scratch<float>(source, attention_scratch(shape));
  const Status status = attention(out.span(), inputs, rope, shape, rule, result, space);

  const bool fits = query_size(shape).is(query.size()) && key_size.is(key.size()) &&
                    (value.empty() ? result != AttentionResult::Output : value_size.is(value.size())) &&
                    result_size(shape, result).is(out.values().size()) && (bias.empty() || matrix.is(bias.size())) &&
                    (added.empty() || mask_size.is(added.size())) && (mask.empty() || mask_size.is(mask.size())) &&
                    space.size() >= attention_scratch(shape);
  require_contract(status, fits, out);
  const auto moderate = [](const auto&... tensors) { return (all_within(tensors, 1) && ...); };
  const bool finite_scores = moderate(query, key, bias, query_cos, query_sin, key_cos, key_sin, sinks) &&
                             std::abs(rule.scale) <= 1 && std::ranges::all_of(added, [](float a) { return a <= 1; });
  if (status != Status::Ok || !finite_scores) return status;
  if (result == AttentionResult::Output && moderate(value)) {
    require(all_within(out.values(), 1.001), "outputs are means of values");
  }
  if (result == AttentionResult::Weights) require_weights(out.values(), shape.key_length, !sinks.empty());
  if (result == AttentionResult::Scores) {
    const auto keys = static_cast<std::int64_t>(shape.key_length),
               queries = static_cast<std::int64_t>(shape.query_length);
    const std::int64_t start = rule.query_start.value_or(rule.key_start + keys - queries);
    for (std::size_t n = 0; n < out.values().size(); ++n) {
      const auto query_at = start + static_cast<std::int64_t>(n / shape.key_length % shape.query_length);
      const bool later = rule.key_start + static_cast<std::int64_t>(n % shape.key_length) > query_at;
      require(!(rule.causal && later) || out.values()[n] == -std::numeric_limits<float>::infinity(),
              "a score is -infinity where the rule masks it");
    }
  }
  return status;
}

}  // namespace posenc::fuzz
