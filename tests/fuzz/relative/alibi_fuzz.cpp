#include "core/relative/alibi.hpp"
#include "fuzz/relative/bias.hpp"

namespace posenc::fuzz {
namespace {

Status run_slopes(Source& source) {
  Output<double> out(source.length({source.size(100)}));
  const auto rule = source.one_of({AlibiRule::PublishedCode, AlibiRule::Geometric});
  const Status status = alibi_slopes(out.span(), rule, source.number(8));
  require_contract(status, !out.values().empty(), out);
  require(status != Status::Ok || all_within(out.values(), 1), "a slope is at most 1");
  return status;
}

Status run_bias(Source& source) {
  const BiasShape shape = bias_shape(source);
  const auto form = source.one_of({AlibiForm::Causal, AlibiForm::Symmetric});
  const auto slopes = source.numbers<double>(source.length({shape.heads}));
  std::vector<double> positions;
  if (source.flag()) positions = source.positions(source.length({shape.key_length}));
  Output<float> out(source.length(bias_size(shape)));
  const Status status = alibi_bias(out.span(), slopes, positions, shape, form);
  const bool fits = bias_size(shape).is(out.values().size()) && slopes.size() == shape.heads &&
                    (positions.empty() || positions.size() == shape.key_length);
  require_contract(status, fits, out);
  if (status == Status::Ok && all_within(slopes, 1)) require(all_within(out.values(), 0x1p33), "in range");
  return status;
}

}  // namespace

Seeds seeds() {
  return {{0, 1},
          {0, 12},
          {0, 12, 0, 1},
          {1, 1, 1, 1},
          {1, 4, 8, 17},
          {1, 4, 8, 17, 9, 3, 1},
          {1, 2, 5, 20, 7, 0, 0, 0, 0, 1, 1}};
}

Status run(Source source) { return source.flag() ? run_bias(source) : run_slopes(source); }

}  // namespace posenc::fuzz
