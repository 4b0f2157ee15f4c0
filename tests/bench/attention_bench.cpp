#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "core/attention/attention.hpp"
#include "core/relative/deberta.hpp"
#include "core/relative/distance_bias.hpp"
#include "core/relative/fire.hpp"
#include "core/relative/shaw.hpp"
#include "core/relative/transformer_xl.hpp"

namespace posenc {
namespace {

std::vector<float> uniform(std::size_t n) {
  std::mt19937 engine(1);
  std::uniform_real_distribution<float> within(-1, 1);
  std::vector<float> values(n);
  for (float& v : values) v = within(engine);
  return values;
}

enum class Extra { None, Bias, BiasByDistance, Fire, Shaw, TransformerXl, Deberta };

/// Causal attention of the last query_length tokens; counts the products with the keys that they see.
void attend(benchmark::State& state, AttentionShape shape, bool rotated, Extra extra) {
  const std::vector<float> query = uniform(shape.query_length * shape.heads * shape.head_dim);
  const std::vector<float> key = uniform(shape.key_length * shape.kv_heads * shape.head_dim);
  const std::vector<float> value = uniform(shape.key_length * shape.kv_heads * shape.value_dim);
  const std::size_t pairs = shape.head_dim / 2;
  const std::vector<float> cos(shape.key_length * pairs, 0.6F), sin(shape.key_length * pairs, 0.8F);
  AttentionInputs inputs{.query = query, .key = key, .value = value};

  // The terms of 32 rectified units, of distances to 16, of every distance, and of the buckets of DeBERTa v3.
  const auto first_distance = static_cast<std::int64_t>(shape.key_length) - 1;
  const std::size_t distances = shape.query_length + shape.key_length - 1;
  const std::size_t columns = shape.heads * shape.head_dim;
  const std::vector<float> numbers = uniform(std::max((distances + 1) * columns, 512 * columns));
  const auto some = [&](std::size_t n) { return std::span(numbers).first(n); };
  const FireTerm fire({.w1 = some(32), .b1 = some(32), .w2 = some(32 * shape.heads), .b2 = some(shape.heads)},
                      {.c = 0.1, .threshold = 0, .epsilon = 1e-6}, some(distances), first_distance);
  const ShawTerm shaw(some(33 * shape.head_dim), some(33 * shape.value_dim), 16);
  const TransformerXlTerm transformer_xl(some(columns), some(columns), some((distances + 1) * columns),
                                         first_distance - static_cast<std::int64_t>(shape.query_length) + 1);
  const DebertaTerm deberta(some(512 * columns), some(512 * columns), 256, DebertaRule());
  std::vector<float> bias;
  if (extra == Extra::Bias || extra == Extra::BiasByDistance) {
    const bool by_pair = extra == Extra::Bias;
    bias = uniform(shape.heads * (by_pair ? shape.query_length * shape.key_length : distances));
    if (by_pair) inputs.bias = bias;
  }
  const DistanceBias by_distance(bias, first_distance);
  if (extra == Extra::BiasByDistance) inputs.bias_term = &by_distance;
  if (extra == Extra::Fire) inputs.bias_term = &fire;
  if (extra == Extra::Shaw) inputs.relative_term = &shaw;
  if (extra == Extra::TransformerXl) inputs.relative_term = &transformer_xl;
  if (extra == Extra::Deberta) inputs.relative_term = &deberta;
  AttentionRope rope;
  if (rotated) {
    const std::size_t queries = shape.query_length * pairs;
    rope = {.query_cos = std::span(cos).first(queries),
            .query_sin = std::span(sin).first(queries),
            .key_cos = cos,
            .key_sin = sin,
            .rotary_dim = shape.head_dim};
  }
  const std::size_t start = shape.key_length - shape.query_length;
  const AttentionRule rule{.scale = 1 / std::sqrt(static_cast<float>(shape.head_dim)),
                           .query_start = static_cast<std::int64_t>(start),
                           .causal = true};
  std::vector<float> out(shape.query_length * shape.heads * shape.value_dim);
  std::vector<float> scratch(attention_scratch(shape));
  for (auto _ : state) {
    const Status status = attention(out, inputs, rope, shape, rule, AttentionResult::Output, scratch);
    benchmark::DoNotOptimize(status);
    benchmark::ClobberMemory();
  }
  const double seen = static_cast<double>(shape.query_length) *
                      (static_cast<double>(start) + (static_cast<double>(shape.query_length) + 1) / 2);
  const double operations =
      2 * seen * static_cast<double>(shape.heads) * static_cast<double>(shape.head_dim + shape.value_dim);
  state.counters["FLOP/s"] = benchmark::Counter(operations, benchmark::Counter::kIsIterationInvariantRate);
}

AttentionShape shape(std::size_t heads, std::size_t kv_heads, std::size_t queries, std::size_t keys, std::size_t dim) {
  return {.heads = heads,
          .kv_heads = kv_heads,
          .query_length = queries,
          .key_length = keys,
          .head_dim = dim,
          .value_dim = dim};
}

BENCHMARK_CAPTURE(attend, 8_heads_512, shape(8, 8, 512, 512, 64), false, Extra::None)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(attend, 8_heads_512_rope, shape(8, 8, 512, 512, 64), true, Extra::None)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(attend, 8_heads_512_bias, shape(8, 8, 512, 512, 64), false, Extra::Bias)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(attend, 8_heads_512_bias_by_distance, shape(8, 8, 512, 512, 64), false, Extra::BiasByDistance)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(attend, 8_heads_512_fire, shape(8, 8, 512, 512, 64), false, Extra::Fire)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(attend, 8_heads_512_shaw, shape(8, 8, 512, 512, 64), false, Extra::Shaw)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(attend, 8_heads_512_transformer_xl, shape(8, 8, 512, 512, 64), false, Extra::TransformerXl)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(attend, 8_heads_512_deberta, shape(8, 8, 512, 512, 64), false, Extra::Deberta)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(attend, 32_heads_of_8_2048_rope, shape(32, 8, 2048, 2048, 128), true, Extra::None)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(attend, 1_head_8192_rope, shape(1, 1, 8192, 8192, 64), true, Extra::None)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(attend, decode_4096_keys, shape(32, 8, 1, 4096, 128), false, Extra::None)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(attend, decode_4096_keys_rope, shape(32, 8, 1, 4096, 128), true, Extra::None)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace posenc
