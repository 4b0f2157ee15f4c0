#include "core/relative/shaw.hpp"

#include <algorithm>

namespace posenc {

Status ShawTerm::check(const AttentionShape& shape, DistanceRange) const noexcept {
  if (clip_ > kMaxClip) return Status::BadShape;
  const std::size_t rows = 2 * clip_ + 1;
  return check_lengths({{key_table_.size(), product({rows, shape.head_dim})},
                        {value_table_.size(), value_table_.empty() ? 0 : product({rows, shape.value_dim})}});
}

void ShawTerm::add(Rows scores, const ScoreBlock& block, const ScoreOperands& operands) const noexcept {
  add_query_products(scores, operands.queries, {key_table_.data(), block.shape->head_dim}, rows(block), block,
                     operands);
}

void ShawTerm::add_values(Rows output, ConstRows weights, const ScoreBlock& block,
                          const ScoreOperands& operands) const noexcept {
  if (value_table_.empty()) return;
  add_value_rows(output, weights, {value_table_.data(), block.shape->value_dim}, rows(block), block, operands);
}

DistanceRows ShawTerm::rows(const ScoreBlock& block) const noexcept {
  const auto clip = static_cast<std::int64_t>(clip_);
  return {block, [clip](std::int64_t distance) {
            return static_cast<std::uint32_t>(clip - std::clamp(distance, -clip, clip));
          }};
}

}  // namespace posenc
