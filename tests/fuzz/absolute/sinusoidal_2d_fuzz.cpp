#include "core/absolute/sinusoidal_2d.hpp"
#include "fuzz/source.hpp"

namespace posenc::fuzz {

Seeds seeds() { return {{1, 1}, {60, 9}, {200, 40, 1}, {9, 8, 2, 0, 1}}; }

Status run(Source source) {
  const std::size_t length = source.size(200), pairs = source.size(40);
  const auto layout = source.one_of({AngleLayout::SinCosInterleaved, AngleLayout::SinThenCos, AngleLayout::CosThenSin});
  const auto inv_freq = source.frequencies(source.length({pairs}));
  const auto first = source.numbers<double>(source.length({length}));
  const auto second = source.numbers<double>(source.length({length}));
  Output<float> out(source.length({length, 4, pairs}));
  const Status status = sinusoidal_2d(out.span(), inv_freq, first, second, layout);
  const bool fits = Product({first.size(), 4, inv_freq.size()}).is(out.values().size());
  require_contract(status, fits && first.size() == second.size(), out);
  require(status != Status::Ok || all_within(out.values(), 1), "sines are from -1 to 1");
  return status;
}

}  // namespace posenc::fuzz
