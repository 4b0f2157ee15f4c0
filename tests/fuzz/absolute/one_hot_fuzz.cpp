#include <numeric>

#include "core/absolute/one_hot.hpp"
#include "fuzz/source.hpp"

namespace posenc::fuzz {

Seeds seeds() { return {{1, 1}, {5, 40}, {40, 60, 0, 20}}; }

Status run(Source source) {
  const std::size_t length = source.size(40), max_length = source.size(100);
  const auto positions = source.positions(source.length({length}));
  Output<float> out(source.length({positions.size(), max_length}));
  const Status status = one_hot(out.span(), positions, max_length);
  require_contract(status, Product({positions.size(), max_length}).is(out.values().size()), out);
  if (status == Status::Ok) {
    const double ones = std::accumulate(out.values().begin(), out.values().end(), 0.0);
    require(all_within(out.values(), 1) && ones == static_cast<double>(positions.size()), "one 1 per row");
  }
  return status;
}

}  // namespace posenc::fuzz
