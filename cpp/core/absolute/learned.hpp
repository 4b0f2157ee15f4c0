#pragma once

#include <cstddef>
#include <span>

#include "core/numeric/status.hpp"

namespace posenc {

/// Learned absolute encoding: row r of out is row positions[r] + offset of the table.
///
/// table       [rows, dim]
/// out         [length, dim]
/// positions   [length]   whole numbers; positions[r] + offset from 0 to rows - 1. A position past the table is an
///             error: such a model has no encoding for it
/// offset      0 for BERT and GPT-2, 2 for OPT and RoBERTa
///
/// Errors      WrongLength, BadShape, OutOfRange; out is then unchanged.
/// Source      Devlin et al. 2018, arXiv:1810.04805; Radford et al. 2019 (GPT-2).
[[nodiscard]] Status learned(std::span<float> out, std::span<const float> table, std::span<const double> positions,
                             std::size_t rows, std::size_t dim, double offset) noexcept;

}  // namespace posenc
