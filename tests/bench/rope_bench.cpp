#include <benchmark/benchmark.h>

#include <vector>

#include "core/rotary/rope.hpp"

namespace posenc {
namespace {

/// Arguments: length, format, pairing. 32 heads of 128 channels, in place; reports bytes read and written.
void rope(benchmark::State& state) {
  const RopeShape shape{.length = static_cast<std::size_t>(state.range(0)),
                        .heads = 32,
                        .head_dim = 128,
                        .rotary_dim = 128,
                        .format = static_cast<TensorFormat>(state.range(1)),
                        .pairing = static_cast<Pairing>(state.range(2))};
  std::vector<float> x(shape.length * shape.heads * shape.head_dim, 1);
  const std::vector<float> cos(shape.length * 64, 0.6F), sin(shape.length * 64, 0.8F);
  for (auto _ : state) {
    const Status status = rope_rotate(x, x, cos, sin, {}, shape, Direction::Forward);
    benchmark::DoNotOptimize(status);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(2 * sizeof(float) * x.size()));
}
BENCHMARK(rope)->ArgNames({"length", "format", "pairing"})->ArgsProduct({{1, 512, 4096}, {0, 1}, {0, 1}});

}  // namespace
}  // namespace posenc
