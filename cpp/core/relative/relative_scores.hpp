#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "core/attention/attention.hpp"
#include "core/attention/score_term.hpp"
#include "core/numeric/shape.hpp"
#include "core/numeric/status.hpp"

// What encodings share whose scores hold products with vectors of a table that stand for distances.

namespace posenc {

/// A span and the product of the sizes that its elements have.
struct SizedSpan {
  std::size_t size = 0;
  std::size_t expected = 0;
};

/// BadShape if a product overflows, WrongLength if a span has another length.
[[nodiscard]] Status check_lengths(std::initializer_list<SizedSpan> spans) noexcept;

/// The rows of a table that stand for the distances of a block, by their numbers. They never fall, or never rise.
class DistanceRows {
 public:
  /// row_of(query - key) is the row of a distance.
  template <class RowOf>
  DistanceRows(const ScoreBlock& block, RowOf row_of) noexcept : count_(block.distances()) {
    for (std::size_t number = 0; number < count_; ++number) rows_[number] = row_of(block.distance(number));
  }

  [[nodiscard]] std::span<const std::uint32_t> all() const noexcept { return std::span(rows_).first(count_); }

 private:
  std::array<std::uint32_t, ScoreBlock::kMaxQueries + ScoreBlock::kMaxKeys - 1> rows_;
  std::size_t count_;
};

/// scores[r][k] += scale * queries[r] . table[row of the distance of r and k]. The queries need not be those of the
/// operands.
void add_query_products(Rows scores, ConstRows queries, ConstRows table, const DistanceRows& rows,
                        const ScoreBlock& block, const ScoreOperands& operands) noexcept;

/// scores[r][k] += scale * keys[k] . table[row of the distance of r and k].
void add_key_products(Rows scores, ConstRows table, const DistanceRows& rows, const ScoreBlock& block,
                      const ScoreOperands& operands) noexcept;

/// output[r] += sum over k of weights[r][k] * table[row of the distance of r and k]; [value_dim].
void add_value_rows(Rows output, ConstRows weights, ConstRows table, const DistanceRows& rows, const ScoreBlock& block,
                    const ScoreOperands& operands) noexcept;

}  // namespace posenc
