#include "core/absolute/index.hpp"

#include <cstddef>

namespace posenc {

Status index_encoding(std::span<float> out, IndexMode mode) noexcept {
  if (out.empty()) return Status::BadShape;
  const auto length = static_cast<double>(out.size());
  double divisor = 1;
  if (mode == IndexMode::Unit && out.size() > 1) divisor = length - 1;
  if (mode == IndexMode::Fraction) divisor = length;
  for (std::size_t p = 0; p < out.size(); ++p) out[p] = static_cast<float>(static_cast<double>(p) / divisor);
  return Status::Ok;
}

}  // namespace posenc
