#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/attention.hpp"

namespace posenc {
namespace {

std::vector<float> uniform(std::size_t n) {
  std::mt19937 engine(1);
  std::uniform_real_distribution<float> within(-1, 1);
  std::vector<float> values(n);
  for (float& v : values) v = within(engine);
  return values;
}

enum class Extra { None, Alibi, Bias };

/// Causal attention of the last query_length tokens; counts the products with the keys that they see.
void attend(benchmark::State& state, AttentionShape shape, bool rotated, Extra extra) {
  const std::vector<float> query = uniform(shape.query_length * shape.heads * shape.head_dim);
  const std::vector<float> key = uniform(shape.key_length * shape.kv_heads * shape.head_dim);
  const std::vector<float> value = uniform(shape.key_length * shape.kv_heads * shape.value_dim);
  const std::size_t pairs = shape.head_dim / 2;
  const std::vector<float> cos(shape.key_length * pairs, 0.6F), sin(shape.key_length * pairs, 0.8F);
  const std::vector<double> slopes(shape.heads, 0.25);
  std::vector<float> bias;
  AttentionInputs inputs{.query = query, .key = key, .value = value};
  if (extra == Extra::Alibi) inputs.alibi_slopes = slopes;
  if (extra == Extra::Bias) {
    bias = uniform(shape.heads * shape.query_length * shape.key_length);
    inputs.bias = bias;
  }
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
BENCHMARK_CAPTURE(attend, 8_heads_512_rope_alibi, shape(8, 8, 512, 512, 64), true, Extra::Alibi)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(attend, 8_heads_512_rope_bias, shape(8, 8, 512, 512, 64), true, Extra::Bias)
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
