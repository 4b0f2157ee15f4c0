#include "core/absolute/sinusoidal.hpp"

namespace posenc {

Status sinusoidal(std::span<float> out, std::span<const double> inv_freq, Positions positions, std::size_t dim,
                  AngleLayout order) noexcept {
  const std::size_t pairs = dim / 2;
  if (dim == 0 || (inv_freq.size() != pairs && inv_freq.size() != pairs + dim % 2)) return Status::BadShape;
  return sin_cos_rows(out, inv_freq, positions, dim, order);
}

}  // namespace posenc
