#pragma once

#include <cstddef>
#include <cstdint>

#include "core/attention/attention.hpp"
#include "core/attention/attention_blocks.hpp"

namespace posenc {

/// Index among the keys of the first query of a sequence that has so many keys.
[[nodiscard]] std::int64_t first_place(const AttentionShape& shape, const AttentionRule& rule,
                                       std::size_t keys) noexcept;

/// Which keys the queries of one sequence may see by position: all, where a result is not masked. What a mask says
/// about single keys is left to ScoreAdjustment.
class VisibleKeys {
 public:
  VisibleKeys(const AttentionInputs& inputs, const AttentionShape& shape, const AttentionRule& rule,
              AttentionResult result, std::size_t batch) noexcept;

  /// Index among the keys of a query, by its index along query_length.
  [[nodiscard]] std::int64_t place(std::size_t query) const noexcept {
    return first_place_ + static_cast<std::int64_t>(query);
  }

  /// The keys of a query. Neither end falls from one query to the next.
  [[nodiscard]] KeyRange of(std::size_t query) const noexcept;

 private:
  const AttentionRule* rule_;
  bool all_;  // keys are seen
  std::int64_t first_place_;
  std::size_t keys_;  // how many of them some query may see
};

}  // namespace posenc
