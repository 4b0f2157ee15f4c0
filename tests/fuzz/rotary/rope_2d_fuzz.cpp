#include "core/rotary/rope_2d.hpp"
#include "fuzz/rotary/rotation.hpp"

namespace posenc::fuzz {
namespace {

Status run_table(Source& source) {
  const std::size_t length = source.size(100), per_axis = source.size(40);
  const auto inv_freq = source.frequencies(source.length({2, per_axis}));
  const auto rows = source.positions(source.length({length}));
  const auto columns = source.positions(source.length({length}));
  const double attention_factor = source.number(1);
  const Product size{rows.size(), inv_freq.size()};
  Output<float> cos(source.length(size)), sin(source.length(size));
  const Status status = rope_2d_table(cos.span(), sin.span(), inv_freq, rows, columns, attention_factor);
  const bool fits = rows.size() == columns.size() && size.is(cos.values().size()) && size.is(sin.values().size());
  require_contract(status, fits, cos, sin);
  if (status == Status::Ok && attention_factor == 1) {
    require(all_within(cos.values(), 1) && all_within(sin.values(), 1), "cosines and sines are from -1 to 1");
  }
  return status;
}

Status run_rotation(Source& source) {
  const auto variant = source.one_of({Rope2dVariant::Chatglm, Rope2dVariant::Vision, Rope2dVariant::Axial});
  Rotation call = Rotation::from(source);
  const Status status =
      rope_2d_rotate(call.x.span(), call.x.span(), call.cos, call.sin, call.rows, call.shape, variant, call.direction);
  call.require_result(status);
  return status;
}

}  // namespace

Seeds seeds() {
  return {{0, 1, 1},
          {0, 80, 20, 0, 1, 0, 0, 1},
          {1, 0, 1, 1, 1, 4, 4},
          {1, 1, 2, 40, 3, 32, 32, 1},
          {1, 2, 1, 5, 2, 20, 8, 0, 1, 1}};
}

Status run(Source source) { return source.flag() ? run_rotation(source) : run_table(source); }

}  // namespace posenc::fuzz
