#include "core/absolute/sinusoidal.hpp"
#include "fuzz/source.hpp"

namespace posenc::fuzz {

Seeds seeds() { return {{1, 1}, {60, 9}, {200, 130, 1}, {9, 8, 0, 0, 1, 1, 5}}; }

Status run(Source source) {
  const std::size_t length = source.size(200), dim = source.size(150);
  const auto layout = source.one_of({AngleLayout::SinCosInterleaved, AngleLayout::SinThenCos, AngleLayout::CosThenSin});
  const auto inv_freq = source.frequencies(source.length({dim / 2 + (source.flag() ? 0 : dim % 2)}));
  std::vector<double> values;
  if (source.flag()) values = source.positions(source.length({length}));
  const Positions positions{.length = length, .start = source.position(0), .values = values};
  Output<float> out(source.length({length, dim}));
  const Status status = sinusoidal(out.span(), inv_freq, positions, dim, layout);
  require_contract(status, Product({length, dim}).is(out.values().size()), out);
  require(status != Status::Ok || all_within(out.values(), 1), "sines are from -1 to 1");
  return status;
}

}  // namespace posenc::fuzz
