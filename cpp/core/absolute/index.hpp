#pragma once

#include <span>

#include "core/numeric/status.hpp"

namespace posenc {

enum class IndexMode {
  Integer,   // 0, 1, 2, ...
  Unit,      // p / (length - 1), from 0 to 1; a single position is 0
  Fraction,  // p / length, from 0 to below 1
};

/// The position itself as the encoding: one number per token, out [length].
///
/// Errors     BadShape for an empty span.
/// Accuracy   one division in double, rounded to float; Integer is exact up to 2^24.
[[nodiscard]] Status index_encoding(std::span<float> out, IndexMode mode) noexcept;

}  // namespace posenc
