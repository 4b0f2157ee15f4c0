#include "core/absolute/learned.hpp"
#include "fuzz/source.hpp"

namespace posenc::fuzz {

Seeds seeds() { return {{1, 1, 1}, {30, 8, 20}, {30, 8, 20, 0, 0, 0, 2}}; }

Status run(Source source) {
  const std::size_t rows = source.size(40), dim = source.size(20), length = source.size(40);
  const auto table = source.numbers<float>(source.length({rows, dim}));
  const double offset = source.position(0);
  const auto positions = source.positions(source.length({length}));
  Output<float> out(source.length({positions.size(), dim}));
  const Status status = learned(out.span(), table, positions, rows, dim, offset);
  const bool fits = Product({rows, dim}).is(table.size()) && Product({positions.size(), dim}).is(out.values().size());
  require_contract(status, fits, out);
  if (status != Status::Ok) return status;
  for (std::size_t r = 0; r < positions.size(); ++r) {
    const auto row = static_cast<std::size_t>(positions[r] + offset);
    const bool copied = std::memcmp(&out.values()[r * dim], &table[row * dim], dim * sizeof(float)) == 0;
    require(copied, "a row of the result is the row of the table");
  }
  return status;
}

}  // namespace posenc::fuzz
