#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/numeric/status.hpp"
#include "core/rotary/rope.hpp"

namespace posenc {

/// Which channels turn by the row of a token and which by its column. The rotary width is four times n, the number of
/// frequencies per axis.
enum class Rope2dVariant {
  Chatglm,  // the first half of the channels by the row, the second by the column, pairs (i, i + n) within each half
  Vision,   // pairs (i, i + 2n): the first n by the row, the others by the column (ViT of Qwen2-VL)
  Axial,    // pairs (2i, 2i + 1): the first n by the row, the others by the column
};

/// Cosines and sines of row * inv_freq for the first n frequencies, and of column * inv_freq for the others, times the
/// attention factor.
///
/// cos, sin        [length, 2n]   for rope_2d_rotate
/// inv_freq        [2n]           radians per row, then radians per column
/// rows, columns   [length]       whole, |p| <= kMaxPosition
///
/// Errors     WrongLength, BadShape (an odd number of frequencies), OutOfRange, NotFinite; both are then unchanged.
/// Accuracy   |error| <= 0.51 ulp
[[nodiscard]] Status rope_2d_table(std::span<float> cos, std::span<float> sin, std::span<const double> inv_freq,
                                   std::span<const double> rows, std::span<const double> columns,
                                   double attention_factor) noexcept;

/// Turns queries or keys by two positions per token.
///
/// out, x, cos, sin, table_rows, shape, direction   as of rope_rotate; rotary_dim is a multiple of 4, and the variant
///                                                  decides the pairing
///
/// Errors     OddDimension, WrongLength, BadShape, OutOfRange; out is then unchanged.
/// Accuracy   as rope_rotate
/// Source     Chatglm: THUDM/ChatGLM-6B, modeling_chatglm.py. Vision: Wang et al. 2024 (Qwen2-VL), arXiv:2409.12191.
///            Axial: lucidrains/rotary-embedding-torch, get_axial_freqs.
[[nodiscard]] Status rope_2d_rotate(std::span<float> out, std::span<const float> x, std::span<const float> cos,
                                    std::span<const float> sin, std::span<const std::uint32_t> table_rows,
                                    RopeShape shape, Rope2dVariant variant, Direction direction) noexcept;

}  // namespace posenc
