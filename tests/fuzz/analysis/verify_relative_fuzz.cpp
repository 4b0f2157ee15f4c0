#include "core/analysis/verify_relative.hpp"
#include "fuzz/source.hpp"

namespace posenc::fuzz {
namespace {

Dtype dtype(Source& source) noexcept { return source.one_of({Dtype::F64, Dtype::F32, Dtype::F16, Dtype::Bf16}); }

}  // namespace

Seeds seeds() { return {{2, 2, 1}, {64, 32, 9}, {64, 32, 9, 1, 1, 3, 1, 2, 0, 0, 0, 5}}; }

Status run(Source source) {
  RotaryScore options;
  options.head_dim = source.size(70);
  options.rotary_dim = source.size(70);
  const std::size_t count = source.size(40);
  options.pairing = source.one_of({Pairing::Half, Pairing::Interleaved});
  options.precision = {
      .position = dtype(source), .inv_freq = dtype(source), .angle = dtype(source), .table = dtype(source)};
  options.attention_factor = source.number(1);
  const double distance = source.position(1);
  const auto shifts = source.positions(source.length({count}));
  const auto query = source.numbers<float>(source.length({options.head_dim}));
  const auto key = source.numbers<float>(source.length({options.head_dim}));
  const auto inv_freq = source.frequencies(source.length({options.rotary_dim / 2}));
  Output<double> score(source.length({shifts.size()})), residual(source.length({shifts.size()}));
  const Status status = verify_relative(score.span(), residual.span(), query, key, inv_freq, distance, shifts, options);
  const bool fits = query.size() == options.head_dim && key.size() == options.head_dim &&
                    inv_freq.size() == options.rotary_dim / 2 && score.values().size() == shifts.size() &&
                    residual.values().size() == shifts.size();
  require_contract(status, fits, score, residual);
  const RotaryPrecision& stages = options.precision;
  const bool exact = stages.position == Dtype::F64 && stages.inv_freq == Dtype::F64 && stages.angle == Dtype::F64 &&
                     stages.table == Dtype::F64;
  const bool moderate = all_within(query, 1) && all_within(key, 1) && options.attention_factor == 1;
  if (status == Status::Ok && exact && moderate) {
    require(all_within(residual.values(), 1e-12), "exact stages depend on the distance only");
  }
  return status;
}

}  // namespace posenc::fuzz
