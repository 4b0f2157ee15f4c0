#pragma once

#include <algorithm>
#include <cstddef>

#include "core/attention/attention.hpp"
#include "core/attention/attention_tile.hpp"

// How attention cuts a call into blocks, and the scratch space that they take. A row is a query of one head; the heads
// of a group are neighbours at one position.

namespace posenc {

inline constexpr std::size_t kBlockRows = 512;  // query rows that share a packed block of keys

/// Keys, or panels of keys, first ... last - 1.
struct KeyRange {
  std::size_t first = 0;
  std::size_t last = 0;

  [[nodiscard]] std::size_t size() const noexcept { return last - first; }

  /// What of the range lies within bounds; if nothing does, an empty range within them.
  [[nodiscard]] KeyRange clip(KeyRange bounds) const noexcept {
    const std::size_t from = std::clamp(first, bounds.first, bounds.last);
    return {from, std::clamp(last, from, bounds.last)};
  }
};

/// How a call is cut into blocks.
struct AttentionBlocks {
  std::size_t kv_heads = 0;       // key heads per block
  std::size_t rows_per_head = 0;  // rows per key head and block
  std::size_t chunk_rows = 0;     // rows per chunk of a block
  std::size_t keys = 0;           // keys per block, in whole panels
  std::size_t columns = 0;        // value channels, in whole panels
  bool packed = false;            // or direct, see attention_tile.hpp

  [[nodiscard]] static AttentionBlocks of(const AttentionShape& shape) noexcept;

  [[nodiscard]] std::size_t rows() const noexcept { return kv_heads * rows_per_head; }
};

/// The scratch space of a call, cut up.
struct AttentionScratch {
  Rows queries;           // [rows][head_dim]    rotated and scaled
  Rows output;            // [rows][columns]     sum over keys so far of exp(score - max) value
  Rows scores;            // [chunk rows][keys]  scores, then exp(score - max)
  Rows rotated_keys;      // [kPanel][head_dim]
  Rows key_panels;        // [keys / kPanel] panels [head_dim][kPanel]
  Rows value_panels;      // [columns / kPanel] panels [keys][kPanel]
  Rows products;          // [ScoreBlock::kMaxQueries][keys + kMaxQueries - 1]  of a relative term
  Rows shifted_queries;   // [ScoreBlock::kMaxQueries][head_dim]                the same
  float* max = nullptr;   // [rows]        greatest score so far
  float* sum = nullptr;   // [rows]        sum over keys so far of exp(score - max)
  float* keep = nullptr;  // [chunk rows]  what remains of output when max grows

  /// Hands out parts from `from` on, or only counts, and returns how many floats they take.
  std::size_t cut(const AttentionShape& shape, const AttentionBlocks& blocks, float* from) noexcept;
};

/// The least multiple of a step that is at least `size`, or kTooLarge.
[[nodiscard]] constexpr std::size_t round_up(std::size_t size, std::size_t step) noexcept {
  const std::size_t steps = size / step + (size % step != 0 ? 1 : 0);
  return product({steps, step});
}

}  // namespace posenc
