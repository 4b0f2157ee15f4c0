#pragma once

#include <cstddef>
#include <initializer_list>
#include <limits>

namespace posenc {

/// Larger than any tensor: what `product` returns when the true product does not fit.
inline constexpr std::size_t kTooLarge = std::numeric_limits<std::size_t>::max();

/// Product of sizes, or kTooLarge. `size_t` has 32 bits in WebAssembly, so a bare product can wrap to a small number.
[[nodiscard]] constexpr std::size_t product(std::initializer_list<std::size_t> sizes) noexcept {
  std::size_t total = 1;
  for (const std::size_t size : sizes) {
    const bool fits = size == 0 || total <= kTooLarge / size;
    total = fits ? total * size : kTooLarge;
  }
  return total;
}

/// How the four axes of an attention tensor are ordered in memory, outermost first.
enum class TensorFormat {
  Bshd,  // [batch, sequence, heads, head_dim], as a projection leaves it
  Bhsd,  // [batch, heads, sequence, head_dim], as PyTorch's attention takes it
};

/// Where a token of a head starts: offset = batch_index * batch + head_index * head + token_index * token.
struct TensorStrides {
  std::size_t batch = 0;
  std::size_t head = 0;
  std::size_t token = 0;

  [[nodiscard]] static constexpr TensorStrides of(TensorFormat format, std::size_t heads, std::size_t length,
                                                  std::size_t dim) noexcept {
    const std::size_t batch = heads * length * dim;
    return format == TensorFormat::Bshd ? TensorStrides{batch, dim, heads * dim}
                                        : TensorStrides{batch, length * dim, dim};
  }
};

}  // namespace posenc
