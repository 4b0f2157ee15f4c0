#include "core/analysis/distance_kernel.hpp"
#include "fuzz/source.hpp"

namespace posenc::fuzz {

Seeds seeds() { return {{0, 1, 1}, {0, 70, 100}, {1, 70, 100}, {1, 16, 20, 0, 0, 1, 3}}; }

Status run(Source source) {
  const bool is_bound = source.flag();
  const std::size_t pairs = source.size(80), count = source.size(150);
  const auto inv_freq = source.frequencies(source.length({pairs}));
  const auto distances = source.positions(source.length({count}));
  Output<double> out(source.length({distances.size()}));
  const Status status =
      is_bound ? decay_bound(out.span(), inv_freq, distances) : distance_kernel(out.span(), inv_freq, distances);
  require_contract(status, out.values().size() == distances.size() && !inv_freq.empty(), out);
  if (status == Status::Ok) {
    const double most = is_bound ? static_cast<double>(inv_freq.size()) : 1;
    require(all_within(out.values(), most * (1 + 1e-14)), "a mean of cosines is at most 1");
  }
  return status;
}

}  // namespace posenc::fuzz
