#pragma once

#include <cstddef>
#include <span>

#include "core/numeric/status.hpp"

namespace posenc {

struct DecomposeShape {
  std::size_t length = 0;
  std::size_t dim = 0;
  std::size_t projected = 0;  // columns of wq and wk; equal to dim when there are none
};

/// The four terms of an attention score between tokens x + p, without the 1 / sqrt(dim):
/// (x_m + p_m) Wq Wk^T (x_n + p_n)^T = content-content + position-content + content-position + position-position.
///
/// x, p       [length, dim]              contents and positions
/// wq, wk     [dim, projected] or empty  empty is the identity
/// terms      [length, length] each; row m is the query, column n the key; the first word names what the query gives
///
/// Errors     WrongLength, BadShape; the terms are then unchanged.
/// Accuracy   sums in double, rounded once.
/// Source     Ke et al. 2020, arXiv:2006.15595, section 2 (the expansion); an exact identity.
struct FourTerms {
  std::span<float> content_content;
  std::span<float> position_content;
  std::span<float> content_position;
  std::span<float> position_position;
};
[[nodiscard]] Status decompose(FourTerms terms, std::span<const float> x, std::span<const float> p,
                               std::span<const float> wq, std::span<const float> wk, std::span<double> scratch,
                               DecomposeShape shape) noexcept;

/// How many doubles `decompose` needs as scratch: projected contents and positions of both sides.
[[nodiscard]] std::size_t decompose_scratch(DecomposeShape shape) noexcept;

}  // namespace posenc
