#include "core/attention/attention_blocks.hpp"

#include <memory>

#include "core/attention/score_term.hpp"
#include "core/numeric/shape.hpp"

namespace posenc {
namespace {

// Query rows whose scores are alive at once: they stay in the first-level cache.
constexpr std::size_t kChunkRows = ScoreBlock::kMaxQueries;
constexpr std::size_t kBlockKeys = ScoreBlock::kMaxKeys;
constexpr std::size_t kDirectRows = 16;  // up to so many rows of a key head, packing its keys costs more than it gains
static_assert(kBlockKeys % kPanel == 0 && kDirectRows <= ScoreBlock::kMaxQueries);

}  // namespace

AttentionBlocks AttentionBlocks::of(const AttentionShape& shape) noexcept {
  const std::size_t rows = product({shape.query_length, shape.heads / shape.kv_heads});
  AttentionBlocks blocks{.keys = round_up(std::min(shape.key_length, kBlockKeys), kPanel),
                         .columns = round_up(shape.value_dim, kPanel),
                         .packed = rows > kDirectRows};
  if (blocks.packed) {
    blocks.kv_heads = 1;
    blocks.rows_per_head = std::min(rows, kBlockRows);
    blocks.chunk_rows = std::min(blocks.rows(), kChunkRows);
  } else {  // all heads at once, so that a format with neighbouring heads is read from front to back
    blocks.kv_heads = std::min(shape.kv_heads, kBlockRows / rows);
    blocks.rows_per_head = rows;
    blocks.chunk_rows = blocks.rows();
  }
  return blocks;
}

std::size_t AttentionScratch::cut(const AttentionShape& shape, const AttentionBlocks& blocks, float* from) noexcept {
  constexpr std::size_t kLine = 16;  // floats of a cache line
  std::size_t used = kLine;          // room to align the first part
  if (from != nullptr) {
    void* at = from;
    std::size_t space = 2 * kLine * sizeof(float);
    from = static_cast<float*>(std::align(kLine * sizeof(float), kLine * sizeof(float), at, space));
  }
  const auto take = [&](std::size_t rows, std::size_t stride) {
    const std::size_t size = round_up(product({rows, stride}), kLine);
    const Rows part{from, stride};
    if (from != nullptr) from += size;
    used = size > kTooLarge - used ? kTooLarge : used + size;
    return part;
  };
  queries = take(blocks.rows(), shape.head_dim);
  output = take(blocks.rows(), blocks.columns);
  scores = take(blocks.chunk_rows, blocks.keys);
  rotated_keys = take(kPanel, shape.head_dim);
  if (blocks.packed) {
    key_panels = take(blocks.keys / kPanel, product({shape.head_dim, kPanel}));
    value_panels = take(blocks.columns / kPanel, product({blocks.keys, kPanel}));
  }
  products = take(ScoreBlock::kMaxQueries, round_up(blocks.keys + ScoreBlock::kMaxQueries - 1, kPanel));
  shifted_queries = take(ScoreBlock::kMaxQueries, shape.head_dim);
  max = take(1, blocks.rows()).data;
  sum = take(1, blocks.rows()).data;
  keep = take(1, blocks.chunk_rows).data;
  return used;
}

}  // namespace posenc
