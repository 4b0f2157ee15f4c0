#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/numeric/angle_table.hpp"
#include "core/numeric/shape.hpp"
#include "core/numeric/status.hpp"

namespace posenc {

/// Which two channels of a head turn together. Weights are trained for one of them; the other one needs them permuted.
enum class Pairing {
  Half,         // i with i + rotary_dim / 2: GPT-NeoX, Hugging Face Llama
  Interleaved,  // 2i with 2i + 1: RoFormer, GPT-J, Meta's Llama
};

enum class Direction { Forward, Inverse };

/// Shape and convention of a tensor of queries or keys.
struct RopeShape {
  std::size_t batch = 1;
  std::size_t length = 0;
  std::size_t heads = 0;
  std::size_t head_dim = 0;
  std::size_t rotary_dim = 0;  // even, 2 ... head_dim; the channels from here on pass through
  TensorFormat format = TensorFormat::Bshd;
  Pairing pairing = Pairing::Half;
};

/// Cosines and sines of position * inv_freq, times the attention factor.
///
/// cos, sin   [length, pairs]   pairs = inv_freq.size()
///
/// Errors     WrongLength, OutOfRange, NotFinite; both are then unchanged.
/// Accuracy   |error| <= 0.51 ulp, see cos_sin_tables.
/// Source     Su et al. 2021, arXiv:2104.09864, section 3.4.
[[nodiscard]] Status rope_table(std::span<float> cos, std::span<float> sin, std::span<const double> inv_freq,
                                Positions positions, double attention_factor) noexcept;

/// Turns queries or keys by their positions (rotary position embedding).
///
/// out, x     [batch, length, heads, head_dim] or [batch, heads, length, head_dim], see format; the same or apart
/// cos, sin   [table rows, rotary_dim / 2]   any numbers: (a, b) becomes (a cos - b sin, a sin + b cos)
/// rows       the table row of each token: empty (token t uses row t), [length], or [batch, length]
/// direction  Inverse turns by minus the angle
///
/// Errors     OddDimension, WrongLength, BadShape, OutOfRange (a row past the table); out is then unchanged.
/// Accuracy   |error| <= 2^-23 (|a cos| + |b sin|) for a pair (a, b); a relaxed build may differ in the last bit.
/// Source     Su et al. 2021, arXiv:2104.09864, section 3.4.2.
[[nodiscard]] Status rope_rotate(std::span<float> out, std::span<const float> x, std::span<const float> cos,
                                 std::span<const float> sin, std::span<const std::uint32_t> rows, RopeShape shape,
                                 Direction direction) noexcept;

}  // namespace posenc
