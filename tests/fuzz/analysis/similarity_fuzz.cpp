#include "core/analysis/similarity.hpp"
#include "fuzz/source.hpp"

namespace posenc::fuzz {

Seeds seeds() { return {{1, 1}, {9, 16}, {100, 33}}; }

Status run(Source source) {
  const std::size_t rows = source.size(100), dim = source.size(60);
  const auto table = source.numbers<float>(source.length({rows, dim}));
  Output<float> out(source.length({rows, rows}));
  const Status status = similarity(out.span(), table, rows, dim);
  require_contract(status, Product({rows, dim}).is(table.size()) && Product({rows, rows}).is(out.values().size()), out);
  if (status == Status::Ok && all_within(table, 1)) require(all_within(out.values(), 1.000001), "a cosine");
  return status;
}

}  // namespace posenc::fuzz
