#include <benchmark/benchmark.h>

#include <vector>

#include "core/numeric/angle_table.hpp"
#include "reference/angles.hpp"

namespace posenc {
namespace {

/// Arguments: length, dim. Reports pairs of a sine and a cosine per second.
void sinusoidal_table(benchmark::State& state) {
  const auto length = static_cast<std::size_t>(state.range(0)), dim = static_cast<std::size_t>(state.range(1));
  const auto inv_freq = reference::frequencies(dim);
  std::vector<float> out(length * dim);
  for (auto _ : state) {
    const Status status = sin_cos_rows(out, inv_freq, {.length = length}, dim, AngleLayout::SinCosInterleaved);
    benchmark::DoNotOptimize(status);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0) * state.range(1) / 2);
}
BENCHMARK(sinusoidal_table)->Args({80, 312})->Args({512, 512})->Args({4096, 1024})->Args({8192, 4096});

void rope_tables(benchmark::State& state) {
  const auto length = static_cast<std::size_t>(state.range(0)), pairs = static_cast<std::size_t>(state.range(1));
  const auto inv_freq = reference::frequencies(2 * pairs);
  std::vector<float> cos(length * pairs), sin(length * pairs);
  for (auto _ : state) {
    const Status status = cos_sin_tables(cos, sin, inv_freq, {.length = length}, 1);
    benchmark::DoNotOptimize(status);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0) * state.range(1));
}
BENCHMARK(rope_tables)->Args({1, 64})->Args({512, 64})->Args({131072, 64});

}  // namespace
}  // namespace posenc
