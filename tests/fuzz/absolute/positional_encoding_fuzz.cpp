#include "core/absolute/positional_encoding.hpp"
#include "fuzz/source.hpp"

namespace posenc::fuzz {

Seeds seeds() { return {{1, 1, 1}, {3, 20, 17}, {2, 9, 8, 230, 2, 7}}; }

Status run(Source source) {
  PositionalEncodingShape shape;
  shape.batch = source.size(4);
  shape.length = source.size(40);
  shape.dim = source.size(40);
  const double dropout = source.number(0);
  const std::uint64_t seed = source.byte();
  const Product size{shape.batch, shape.length, shape.dim}, table_size{shape.length, shape.dim};
  const auto x = source.numbers<float>(source.length(size));
  const auto table = source.numbers<float>(source.length(table_size));
  Output<float> out(source.length(size));
  const Status status = positional_encoding(out.span(), x, table, shape, dropout, seed);
  require_contract(status, size.is(x.size()) && size.is(out.values().size()) && table_size.is(table.size()), out);
  if (status == Status::Ok && all_within(x, 1) && all_within(table, 1)) {
    require(all_within(out.values(), 2.001 / (1 - dropout)), "a sum of two, and the rest of what was not dropped");
  }
  return status;
}

}  // namespace posenc::fuzz
