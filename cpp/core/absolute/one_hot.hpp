#pragma once

#include <cstddef>
#include <span>

#include "core/numeric/status.hpp"

namespace posenc {

/// One-hot positions: row r is 1 at column positions[r] and 0 elsewhere.
///
/// out         [length, max_length]
/// positions   [length]   whole numbers from 0 to max_length - 1
///
/// Errors      WrongLength, BadShape, OutOfRange; out is then unchanged.
[[nodiscard]] Status one_hot(std::span<float> out, std::span<const double> positions, std::size_t max_length) noexcept;

}  // namespace posenc
