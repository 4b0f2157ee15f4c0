#pragma once

#include <cstddef>
#include <span>

#include "core/numeric/status.hpp"

namespace posenc {

/// Cosine similarity of every two rows of a table.
///
/// table      [rows, dim]
/// out        [rows, rows]   symmetric; a row of zeros has similarity 0 to every row
///
/// Errors     WrongLength, BadShape; out is then unchanged.
/// Accuracy   sums in double, rounded once: |error| <= 0.51 ulp + dim * 2^-53.
[[nodiscard]] Status similarity(std::span<float> out, std::span<const float> table, std::size_t rows,
                                std::size_t dim) noexcept;

}  // namespace posenc
