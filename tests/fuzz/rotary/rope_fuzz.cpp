#include "core/rotary/rope.hpp"
#include "fuzz/rotary/rotation.hpp"

namespace posenc::fuzz {
namespace {

Status run_table(Source& source) {
  const std::size_t length = source.size(150), pairs = source.size(80);
  const auto inv_freq = source.frequencies(source.length({pairs}));
  std::vector<double> values;
  if (source.flag()) values = source.positions(source.length({length}));
  const Positions positions{.length = length, .start = source.position(0), .values = values};
  const double attention_factor = source.number(1);
  Output<float> cos(source.length({length, inv_freq.size()})), sin(source.length({length, inv_freq.size()}));
  const Status status = rope_table(cos.span(), sin.span(), inv_freq, positions, attention_factor);
  const Product size{length, inv_freq.size()};
  require_contract(status, size.is(cos.values().size()) && size.is(sin.values().size()), cos, sin);
  if (status == Status::Ok && attention_factor == 1) {
    require(all_within(cos.values(), 1) && all_within(sin.values(), 1), "cosines and sines are from -1 to 1");
  }
  return status;
}

Status run_rotation(Source& source) {
  Rotation call = Rotation::from(source);
  const Status status =
      rope_rotate(call.x.span(), call.x.span(), call.cos, call.sin, call.rows, call.shape, call.direction);
  call.require_result(status);
  return status;
}

}  // namespace

Seeds seeds() {
  return {{0, 1, 1},
          {0, 120, 70},
          {0, 60, 16, 0, 0, 1, 1},
          {1, 1, 1, 1, 2, 2},
          {1, 2, 40, 3, 32, 32, 1},
          {1, 1, 5, 2, 20, 8, 0, 1, 1}};
}

Status run(Source source) { return source.flag() ? run_rotation(source) : run_table(source); }

}  // namespace posenc::fuzz
