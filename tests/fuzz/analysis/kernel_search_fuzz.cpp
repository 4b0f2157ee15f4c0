#include "core/analysis/distance_kernel.hpp"
#include "fuzz/source.hpp"

namespace posenc::fuzz {
namespace {

// Searches of more distances than this take too long here.
constexpr double kMostDistances = 2e4;

Status run_envelope(Source& source) {
  const std::size_t pairs = source.size(20), ranges = source.size(9);
  const auto inv_freq = source.frequencies(source.length({pairs}));
  std::vector<double> edges = source.positions(source.length({ranges + 1}));
  if (source.flag()) {
    for (std::size_t i = 0; i < edges.size(); ++i) edges[i] += static_cast<double>(i * source.size(200));
  }
  const auto [least, greatest] = std::ranges::minmax_element(edges);
  if (!edges.empty() && *greatest - *least > kMostDistances) return Status::OutOfRange;
  Output<double> minimum(source.length({edges.size() - 1})), maximum(source.length({edges.size() - 1})),
      argmax(source.length({edges.size() - 1}));
  std::vector<double> scratch(source.length({kernel_scratch(inv_freq.size())}));
  const Status status = kernel_envelope(minimum.span(), maximum.span(), argmax.span(), inv_freq, edges, scratch);
  const std::size_t count = minimum.values().size();
  const bool fits = count == edges.size() - 1 && maximum.values().size() == count && argmax.values().size() == count &&
                    scratch.size() >= kernel_scratch(inv_freq.size());
  require_contract(status, fits, minimum, maximum, argmax);
  if (status != Status::Ok) return status;
  for (std::size_t i = 0; i < count; ++i) {
    require(minimum.values()[i] <= maximum.values()[i], "the least is not above the greatest");
    require(edges[i] <= argmax.values()[i] && argmax.values()[i] < edges[i + 1], "the greatest is in its range");
  }
  return status;
}

Status run_aliases(Source& source) {
  const std::size_t pairs = source.size(20);
  const auto inv_freq = source.frequencies(source.length({pairs}));
  const double from = source.position(1), to = source.position(from + 100 * static_cast<double>(source.size(150)));
  const double above = source.number(0.5);
  if (to - from > kMostDistances) return Status::OutOfRange;
  Output<double> distance(source.length({source.size(20)})), similarity(source.length({distance.values().size()}));
  std::vector<double> scratch(source.length({kernel_scratch(inv_freq.size())}));
  Output<std::size_t> found(1);
  const Status status =
      find_aliases(distance.span(), similarity.span(), found.span()[0], inv_freq, from, to, above, scratch);
  const std::size_t room = distance.values().size();
  require_contract(status, similarity.values().size() == room && scratch.size() >= kernel_scratch(inv_freq.size()),
                   distance, similarity, found);
  if (status != Status::Ok) return status;
  const std::size_t count = found.values()[0];
  require(count <= room, "no more peaks than there is room for");
  for (std::size_t i = 0; i < count; ++i) {
    require(from <= distance.values()[i] && distance.values()[i] <= to, "a peak is in the range");
    require(similarity.values()[i] > above, "a peak is above the level");
    require(i == 0 || similarity.values()[i] <= similarity.values()[i - 1], "strongest first");
  }
  return status;
}

}  // namespace

Seeds seeds() {
  return {{0, 1, 1},
          {0, 16, 8, 0, 0, 0, 0, 1, 200, 200, 200},
          {1, 1},
          {1, 16, 0, 0, 0, 150, 0, 0, 20},
          {1, 8, 0, 0, 100, 20}};
}

Status run(Source source) { return source.flag() ? run_aliases(source) : run_envelope(source); }

}  // namespace posenc::fuzz
