#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/numeric/status.hpp"

namespace posenc {

struct PositionalEncodingShape {
  std::size_t batch = 1;
  std::size_t length = 0;
  std::size_t dim = 0;
};

/// The textbook module: out = dropout(x + PE), with inverted dropout.
///
/// x, out     [batch, length, dim]   may be the same memory
/// table      [length, dim]          the encoding that every sequence of the batch gets
/// dropout    0 <= p < 1; an element is dropped with probability p, a kept one is divided by 1 - p; 0 is evaluation
/// seed       which elements are dropped; depends on seed and element number only, so a run can be repeated
///
/// Errors     WrongLength, BadShape, OutOfRange (dropout); out is then unchanged.
/// Accuracy   one float rounding for the sum, one for the division.
/// Source     Vaswani et al. 2017, arXiv:1706.03762, sections 3.5 and 5.4.
[[nodiscard]] Status positional_encoding(std::span<float> out, std::span<const float> x, std::span<const float> table,
                                         PositionalEncodingShape shape, double dropout, std::uint64_t seed) noexcept;

}  // namespace posenc
