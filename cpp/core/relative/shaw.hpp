#pragma once

#include <cstddef>
#include <span>

#include "core/attention/attention.hpp"
#include "core/attention/score_term.hpp"
#include "core/numeric/status.hpp"
#include "core/relative/relative_scores.hpp"

namespace posenc {

/// Relative position representations: the score of query i and key j is scale * query_i . (key_j + key_table[row]), and
/// the output sums weight (value_j + value_table[row]). Row r of a table stands for key - query = r - clip; what is
/// further away shares the first and last row. The heads share the tables.
///
/// Errors     of check: BadShape (clip), WrongLength.
/// Accuracy   that of attention.
/// Source     Shaw, Uszkoreit and Vaswani 2018, arXiv:1803.02155, section 3.
class ShawTerm final : public RelativeTerm {
 public:
  static constexpr std::size_t kMaxClip = (std::size_t{1} << 30) - 1;

  /// key_table     [2 clip + 1, head_dim]
  /// value_table   [2 clip + 1, value_dim]; empty where values have none
  ShawTerm(std::span<const float> key_table, std::span<const float> value_table, std::size_t clip) noexcept
      : key_table_(key_table), value_table_(value_table), clip_(clip) {}

  [[nodiscard]] Status check(const AttentionShape& shape, DistanceRange distances) const noexcept override;
  void add(Rows scores, const ScoreBlock& block, const ScoreOperands& operands) const noexcept override;
  void add_values(Rows output, ConstRows weights, const ScoreBlock& block,
                  const ScoreOperands& operands) const noexcept override;

 private:
  [[nodiscard]] DistanceRows rows(const ScoreBlock& block) const noexcept;

  std::span<const float> key_table_;
  std::span<const float> value_table_;
  std::size_t clip_;
};

}  // namespace posenc
