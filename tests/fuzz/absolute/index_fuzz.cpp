#include "core/absolute/index.hpp"
#include "fuzz/source.hpp"

namespace posenc::fuzz {

Seeds seeds() { return {{1}, {40}, {40, 0, 1}, {40, 0, 2}}; }

Status run(Source source) {
  Output<float> out(source.length({source.size(200)}));
  const auto mode = source.one_of({IndexMode::Integer, IndexMode::Unit, IndexMode::Fraction});
  const Status status = index_encoding(out.span(), mode);
  require_contract(status, !out.values().empty(), out);
  const auto length = static_cast<double>(out.values().size());
  require(status != Status::Ok || all_within(out.values(), mode == IndexMode::Integer ? length : 1), "in range");
  return status;
}

}  // namespace posenc::fuzz
