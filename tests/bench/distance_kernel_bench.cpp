#include <benchmark/benchmark.h>

#include <vector>

#include "core/analysis/distance_kernel.hpp"
#include "reference/angles.hpp"

namespace posenc {
namespace {

/// Argument: dim. Every whole distance up to a million; reports distances per second.
void aliases(benchmark::State& state) {
  const auto inv_freq = reference::frequencies(static_cast<std::size_t>(state.range(0)));
  std::vector<double> distance(16), similarity(16), scratch(kernel_scratch(inv_freq.size()));
  constexpr double kFarthest = 1e6;
  for (auto _ : state) {
    std::size_t found = 0;
    const Status status = find_aliases(distance, similarity, found, inv_freq, 1, kFarthest, 0.1, scratch);
    benchmark::DoNotOptimize(status);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kFarthest));
}
BENCHMARK(aliases)->Arg(8)->Arg(128)->Arg(512)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace posenc
