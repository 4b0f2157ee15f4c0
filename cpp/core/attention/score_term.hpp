#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/attention/attention_tile.hpp"
#include "core/numeric/status.hpp"

namespace posenc {

struct AttentionShape;

/// The score of a key that a query may not attend to.
inline constexpr float kForbidden = -std::numeric_limits<float>::infinity();

/// Queries of one head that follow each other, and keys that follow each other, whose scores attention is forming.
struct ScoreBlock {
  static constexpr std::size_t kMaxQueries = 16;
  static constexpr std::size_t kMaxKeys = 256;

  const AttentionShape* shape = nullptr;  // of the call
  std::size_t batch = 0;
  std::size_t head = 0;             // of the queries
  std::size_t first_query = 0;      // along query_length
  std::size_t queries = 0;          // 1 ... kMaxQueries
  std::size_t first_key = 0;        // along key_length
  std::size_t keys = 0;             // 1 ... kMaxKeys
  std::int64_t query_position = 0;  // of the first query; the others count on
  std::int64_t key_position = 0;    // of the first key

  /// How many pairs of a query and a key differ in their distance. Pair (r, k) is number queries - 1 - r + k.
  [[nodiscard]] std::size_t distances() const noexcept { return queries + keys - 1; }
  /// query - key of the pairs with a number.
  [[nodiscard]] std::int64_t distance(std::size_t number) const noexcept {
    return query_position - key_position + static_cast<std::int64_t>(queries - 1) - static_cast<std::int64_t>(number);
  }
};

/// The distances, query - key, of all pairs of a call.
struct DistanceRange {
  std::int64_t least = 0;
  std::int64_t greatest = 0;
  [[nodiscard]] std::size_t count() const noexcept { return static_cast<std::size_t>(greatest - least) + 1; }
};

/// What a term of scaled scores works with.
struct ScoreOperands {
  ConstRows queries;  // [queries][head_dim]: as the caller gave them, neither rotated nor scaled
  ConstRows keys;     // [keys][head_dim]: the same
  float scale = 1;    // of the scores
  Rows products;      // scratch space: [ScoreBlock::kMaxQueries][at least distances(), in whole panels]
  Rows shifted;       // scratch space: [queries][head_dim]
};

/// What an encoding adds to scores while attention forms them, block by block, so that no matrix of queries and keys is
/// needed. Attention knows an encoding by this interface only. Calls come per row or block, never per score.
class ScoreTerm {
 public:
  virtual ~ScoreTerm() = default;

  /// Whether the term fits a call; attention asks before it writes anything.
  [[nodiscard]] virtual Status check(const AttentionShape& shape, DistanceRange distances) const noexcept = 0;
};

/// A bias: what is added to scores after the softcap.
class BiasTerm : public ScoreTerm {
 public:
  /// scores[k] += the bias of the one query of a block and of key k.
  virtual void add(float* scores, const ScoreBlock& block) const noexcept = 0;
};

/// A part of the scaled scores, which the query or the key decides as well as their distance.
class RelativeTerm : public ScoreTerm {
 public:
  /// [head_dim]: what is added to the queries of a head before they meet the keys; null where nothing is.
  [[nodiscard]] virtual const float* query_offset(std::size_t head, const AttentionShape& shape) const noexcept;

  /// scores[r][k] += scale * what query r and key k have besides their product.
  virtual void add(Rows scores, const ScoreBlock& block, const ScoreOperands& operands) const noexcept = 0;

  /// output[r] += sum over k of weights[r][k] * what the value of key k has for query r besides itself; [value_dim].
  /// Rows of output have room for whole panels. Of the operands only the scratch space is there.
  virtual void add_values(Rows output, ConstRows weights, const ScoreBlock& block,
                          const ScoreOperands& operands) const noexcept;
};

}  // namespace posenc
