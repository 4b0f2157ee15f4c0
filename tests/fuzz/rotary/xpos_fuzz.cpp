#include "core/rotary/xpos.hpp"
#include "fuzz/source.hpp"

namespace posenc::fuzz {

Seeds seeds() { return {{1, 1}, {100, 70}, {40, 16, 0, 0, 0, 0, 1, 2}}; }

Status run(Source source) {
  const std::size_t length = source.size(150), pairs = source.size(80);
  const auto inv_freq = source.frequencies(source.length({pairs}));
  auto log_scale = source.numbers<double>(source.length({pairs}));
  for (double& log : log_scale) log /= 512;
  std::vector<double> values;
  if (source.flag()) values = source.positions(source.length({length}));
  const Positions positions{.length = length, .start = source.position(0), .values = values};
  const double center = source.position(0), attention_factor = source.number(1);
  Output<float> cos(source.length({length, inv_freq.size()})), sin(source.length({length, inv_freq.size()}));
  const Status status = xpos_table(cos.span(), sin.span(), inv_freq, log_scale, positions, center, attention_factor);
  const Product size{length, inv_freq.size()};
  const bool fits = size.is(cos.values().size()) && size.is(sin.values().size()) && log_scale.size() == inv_freq.size();
  require_contract(status, fits, cos, sin);
  if (status == Status::Ok && attention_factor == 1) {
    const double most = std::exp(87.0) * 1.001;
    require(all_within(cos.values(), most) && all_within(sin.values(), most), "a scale stays within e^87");
  }
  return status;
}

}  // namespace posenc::fuzz
