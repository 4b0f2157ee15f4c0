#include "core/rotary/rotary_precision.hpp"
#include "fuzz/source.hpp"

namespace posenc::fuzz {

Seeds seeds() { return {{1, 1}, {60, 40, 1, 1, 1, 1}, {9, 16, 0, 3, 2, 0, 0, 0, 1, 1}}; }

Status run(Source source) {
  const std::size_t length = source.size(100), pairs = source.size(60);
  const auto dtype = [&] { return source.one_of({Dtype::F64, Dtype::F32, Dtype::F16, Dtype::Bf16}); };
  const RotaryPrecision precision{.position = dtype(), .inv_freq = dtype(), .angle = dtype(), .table = dtype()};
  const auto inv_freq = source.frequencies(source.length({pairs}));
  std::vector<double> values;
  if (source.flag()) values = source.positions(source.length({length}));
  const Positions positions{.length = length, .start = source.position(0), .values = values};
  const double scale = source.number(1);
  const Product size{length, inv_freq.size()};
  Output<float> cos(source.length(size)), sin(source.length(size));
  const Status status = rounded_cos_sin_tables(cos.span(), sin.span(), inv_freq, positions, scale, precision);
  require_contract(status, size.is(cos.values().size()) && size.is(sin.values().size()), cos, sin);
  if (status != Status::Ok || scale != 1) return status;
  const auto is_cosine = [](float x) { return std::isnan(x) || std::abs(x) <= 1; };  // NaN where a stage overflowed
  const bool all_cosines = std::ranges::all_of(cos.values(), is_cosine) && std::ranges::all_of(sin.values(), is_cosine);
  require(all_cosines, "cosines and sines are from -1 to 1");
  return status;
}

}  // namespace posenc::fuzz
