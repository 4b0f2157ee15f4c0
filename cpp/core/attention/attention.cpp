#include "core/attention/attention.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "core/attention/attention_tile.hpp"
#include "core/numeric/simd.hpp"
#include "core/rotary/rotate_heads.hpp"

namespace posenc {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

constexpr std::size_t kBlockRows = 512;  // query rows that share a packed block of keys
// Query rows whose scores are alive at once: they stay in the first-level cache.
constexpr std::size_t kChunkRows = ScoreBlock::kMaxQueries;
constexpr std::size_t kBlockKeys = ScoreBlock::kMaxKeys;
constexpr std::size_t kDirectRows = 16;  // up to so many rows of a key head, packing its keys costs more than it gains
static_assert(kBlockKeys % kPanel == 0 && kDirectRows <= ScoreBlock::kMaxQueries);

/// Keys, or panels of keys, first ... last - 1.
struct Range {
  std::size_t first = 0;
  std::size_t last = 0;
  [[nodiscard]] std::size_t size() const noexcept { return last - first; }
};

/// What of a range lies within bounds; if nothing does, an empty range within them.
[[nodiscard]] Range clip(Range range, Range bounds) noexcept {
  const std::size_t first = std::clamp(range.first, bounds.first, bounds.last);
  return {first, std::clamp(range.last, first, bounds.last)};
}

[[nodiscard]] constexpr std::size_t round_up(std::size_t size, std::size_t step) noexcept {
  const std::size_t steps = size / step + (size % step != 0 ? 1 : 0);
  return product({steps, step});
}

/// How a call is cut into blocks. A row is a query of one head; the heads of a group are neighbours at one position.
struct Blocks {
  std::size_t kv_heads = 0;       // key heads per block
  std::size_t rows_per_head = 0;  // rows per key head and block
  std::size_t chunk_rows = 0;     // rows per chunk of a block
  std::size_t keys = 0;           // keys per block, in whole panels
  std::size_t columns = 0;        // value channels, in whole panels
  bool packed = false;            // or direct, see attention_tile.hpp

  [[nodiscard]] std::size_t rows() const noexcept { return kv_heads * rows_per_head; }

  [[nodiscard]] static Blocks of(const AttentionShape& shape) noexcept {
    const std::size_t rows = product({shape.query_length, shape.heads / shape.kv_heads});
    Blocks blocks{.keys = round_up(std::min(shape.key_length, kBlockKeys), kPanel),
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
};

/// The scratch space of a call, cut up.
struct Scratch {
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
  std::size_t cut(const AttentionShape& shape, const Blocks& blocks, float* from) noexcept {
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
};

/// to[i] = map(from[i], i, lanes) for n floats, where lanes.load(p) is what p has for the same lanes; to may be from.
template <class Map>
void map_each(float* to, const float* from, std::size_t n, Map map) noexcept {
  for_each_vec(n, [&](std::size_t i, auto lanes) { lanes.store(to + i, map(lanes.load(from + i), i, lanes)); });
}

/// How many keys a sequence has room for in memory.
[[nodiscard]] std::size_t capacity(const AttentionShape& shape) noexcept {
  return shape.key_capacity == 0 ? shape.key_length : shape.key_capacity;
}

/// A call whose arguments have been checked.
///
/// Its steps stay functions of their own. An engine compiles WebAssembly once in haste and then, function by function,
/// for good; a function that runs takes no part in that. As one function, the steps took 21 ms to compile, for the next
/// call.
class Call {
 public:
  Call(std::span<float> out, const AttentionInputs& inputs, const AttentionRope& rope, const AttentionShape& shape,
       const AttentionRule& rule, AttentionResult result, std::span<float> scratch) noexcept
      : out_(out),
        inputs_(inputs),
        rope_(rope),
        shape_(shape),
        rule_(rule),
        result_(result),
        blocks_(Blocks::of(shape)),
        normalizes_(result == AttentionResult::Output || result == AttentionResult::Weights),
        masks_(result != AttentionResult::Capped && result != AttentionResult::Scaled),
        adjusts_((rule.softcap != 0.0F && result != AttentionResult::Scaled) ||
                 (masks_ && (!inputs.bias.empty() || inputs.bias_term != nullptr || !inputs.additive_mask.empty() ||
                             !inputs.mask.empty() || !inputs.key_valid.empty()))) {
    scratch_.cut(shape, blocks_, scratch.data());
  }

  void run() noexcept {
    const std::size_t rows_per_head = shape_.query_length * (shape_.heads / shape_.kv_heads);
    for (batch_ = 0; batch_ < shape_.batch; ++batch_) {
      begin_sequence();
      for (std::size_t head = 0; head < shape_.kv_heads; head += blocks_.kv_heads) {
        for (std::size_t row = 0; row < rows_per_head; row += blocks_.rows_per_head) {
          attend(head, std::min(shape_.kv_heads - head, blocks_.kv_heads), row,
                 std::min(rows_per_head - row, blocks_.rows_per_head));
        }
      }
    }
  }

 private:
  struct Row {
    std::size_t head = 0;  // of the queries
    std::size_t kv_head = 0;
    std::size_t index = 0;  // along query_length
    Range visible = {};     // by position
  };

  /// Rows first ... first + count - 1 of the block.
  struct Chunk {
    std::size_t first = 0;
    std::size_t count = 0;
  };

  /// Where the queries of a sequence stand among its keys, and how many of these there are.
  void begin_sequence() noexcept {
    const std::size_t keys = inputs_.key_lengths.empty() ? shape_.key_length : inputs_.key_lengths[batch_];
    first_place_ = rule_.query_start.has_value()
                       ? *rule_.query_start - rule_.key_start
                       : static_cast<std::int64_t>(keys) - static_cast<std::int64_t>(shape_.query_length);
    const bool has_mask = !inputs_.mask.empty() || !inputs_.additive_mask.empty();
    keys_ = has_mask ? std::min(keys, inputs_.mask_shape.keys) : keys;
  }

  /// Index among the keys of a query.
  [[nodiscard]] std::int64_t place(std::size_t index) const noexcept {
    return first_place_ + static_cast<std::int64_t>(index);
  }

  /// The keys that a query may see by position. Neither end falls from one query to the next.
  [[nodiscard]] Range visible(std::size_t index) const noexcept {
    if (!masks_) return {0, shape_.key_length};
    static constexpr std::uint64_t kWide = std::uint64_t{1} << 62;  // wider than any tensor, and safe to add to a place
    const auto side = [](std::size_t w) { return static_cast<std::int64_t>(std::min<std::uint64_t>(w, kWide)); };
    const auto keys = static_cast<std::int64_t>(keys_);
    const std::int64_t at = place(index);
    std::int64_t first = 0;
    std::int64_t last = keys;
    if (rule_.window_left != kUnbounded) first = at - side(rule_.window_left);
    if (rule_.window_right != kUnbounded) last = at + side(rule_.window_right) + 1;
    if (rule_.causal) last = std::min(last, at + 1);
    first = std::clamp<std::int64_t>(first, 0, keys);
    last = std::clamp<std::int64_t>(last, first, keys);
    return {static_cast<std::size_t>(first), static_cast<std::size_t>(last)};
  }

  /// The keys that some row of a chunk may see.
  [[nodiscard]] Range visible(Chunk chunk) const noexcept {
    return {rows_[chunk.first].visible.first, rows_[chunk.first + chunk.count - 1].visible.last};
  }

  /// Everything for a block: rows first_row ... of some key heads. Sums over blocks of keys, then the result.
  [[gnu::noinline]] void attend(std::size_t first_head, std::size_t heads, std::size_t first_row,
                                std::size_t rows_per_head) noexcept {
    const std::size_t group = shape_.heads / shape_.kv_heads;
    const Chunk all{0, heads * rows_per_head};
    for (std::size_t r = 0; r < all.count; ++r) {
      const std::size_t kv_head = first_head + r / rows_per_head;
      const std::size_t row = first_row + r % rows_per_head;
      rows_[r] = {.head = kv_head * group + row % group,
                  .kv_head = kv_head,
                  .index = row / group,
                  .visible = visible(row / group)};
    }
    rows_per_head_ = rows_per_head;
    begin(all);
    const Range keys = visible(all);
    for (std::size_t first = keys.first; first < keys.last; first += blocks_.keys) {
      const Range block{first, std::min(keys.last, first + blocks_.keys)};
      if (blocks_.packed) pack(block);
      for (std::size_t r = 0; r < all.count; r += blocks_.chunk_rows) {
        attend(Chunk{r, std::min(all.count - r, blocks_.chunk_rows)}, block);
      }
    }
    finish(all);
  }

  /// A chunk of rows and a block of keys.
  [[gnu::noinline]] void attend(Chunk chunk, Range block) noexcept {
    const Range seen = clip(visible(chunk), block);
    if (seen.size() == 0) return;
    // In whole panels, counted from the first key of the block.
    const Range panels{(seen.first - block.first) / kPanel, round_up(seen.last - block.first, kPanel) / kPanel};
    multiply(chunk, block, panels);
    // The keys of these panels, counted from the first key of the block.
    const Range keys{panels.first * kPanel, std::min(panels.last * kPanel, block.size())};
    if (inputs_.relative_term != nullptr) add_relative_scores(chunk, block, keys);
    adjust(chunk, block, panels);
    if (normalizes_) {
      for (std::size_t r = 0; r < chunk.count; ++r) {
        scratch_.keep[r] = fold_softmax(scratch_.scores[r] + panels.first * kPanel, panels.size() * kPanel,
                                        scratch_.max[chunk.first + r], scratch_.sum[chunk.first + r]);
      }
    }
    if (result_ != AttentionResult::Output) return;
    accumulate(chunk, block, panels);
    if (inputs_.relative_term != nullptr) add_relative_values(chunk, block, keys);
  }

  [[gnu::noinline]] void add_relative_scores(Chunk chunk, Range block, Range keys) const noexcept {
    for_each_head(chunk, block, keys, [&](std::size_t r, const ScoreBlock& part, const ScoreOperands& operands) {
      inputs_.relative_term->add(rows_of_head(scratch_.scores, r, keys.first), part, operands);
    });
  }

  [[gnu::noinline]] void add_relative_values(Chunk chunk, Range block, Range keys) const noexcept {
    for_each_head(chunk, block, keys, [&](std::size_t r, const ScoreBlock& part, const ScoreOperands& operands) {
      inputs_.relative_term->add_values(rows_of_head(scratch_.output, chunk.first + r, 0),
                                        rows_of_head(scratch_.scores, r, keys.first), part, operands);
    });
  }

  /// Every group-th row from r on, where heads are neighbours: those of the same head; from a column on.
  [[nodiscard]] Rows rows_of_head(Rows rows, std::size_t r, std::size_t column) const noexcept {
    return {rows[r] + column, rows.stride * (shape_.heads / shape_.kv_heads)};
  }

  /// Calls body(row, part, operands) for each head of a chunk, with its first row in the chunk. `keys` count from the
  /// first key of the block.
  template <class Body>
  void for_each_head(Chunk chunk, Range block, Range keys, Body body) const noexcept {
    const std::size_t group = shape_.heads / shape_.kv_heads;
    const TensorStrides queries = TensorStrides::of(shape_.format, shape_.heads, shape_.query_length, shape_.head_dim);
    for (std::size_t first = 0; first < chunk.count; first += rows_per_head_) {
      const std::size_t rows = std::min(chunk.count - first, rows_per_head_);
      for (std::size_t member = 0; member < std::min(group, rows); ++member) {
        const Row& row = rows_[chunk.first + first + member];
        const ScoreBlock part =
            score_block(row, (rows - member + group - 1) / group, {block.first + keys.first, block.first + keys.last});
        const float* query =
            inputs_.query.data() + batch_ * queries.batch + row.head * queries.head + row.index * queries.token;
        body(first + member, part,
             ScoreOperands{.queries = {query, queries.token},
                           .keys = head_rows(inputs_.key, shape_.head_dim, row.kv_head, part.first_key),
                           .scale = rule_.scale,
                           .products = scratch_.products,
                           .shifted = scratch_.shifted_queries});
      }
    }
  }

  /// Some queries from that of a row on, and some keys.
  [[nodiscard]] ScoreBlock score_block(const Row& row, std::size_t queries, Range keys) const noexcept {
    return {.shape = &shape_,
            .batch = batch_,
            .head = row.head,
            .first_query = row.index,
            .queries = queries,
            .first_key = keys.first,
            .keys = keys.size(),
            .query_position = rule_.key_start + place(row.index),
            .key_position = rule_.key_start + static_cast<std::int64_t>(keys.first)};
  }

  /// Rotates and scales the queries of a block, and empties its sums.
  [[gnu::noinline]] void begin(Chunk all) noexcept {
    const TensorStrides strides = TensorStrides::of(shape_.format, shape_.heads, shape_.query_length, shape_.head_dim);
    for (std::size_t r = 0; r < all.count; ++r) {
      const Row& row = rows_[r];
      const float* from =
          inputs_.query.data() + batch_ * strides.batch + row.head * strides.head + row.index * strides.token;
      if (inputs_.relative_term != nullptr) from = offset_query(scratch_.queries[r], from, row.head);
      const float* rotated =
          rotate(scratch_.queries[r], from, rope_.query_cos, rope_.query_sin, shape_.query_length, row.index);
      map_each(scratch_.queries[r], rotated, shape_.head_dim, [this](Vec v, auto...) { return v * Vec(rule_.scale); });

      if (result_ != AttentionResult::Output) std::fill_n(matrix_row(row), shape_.key_length, kMinusInfinity);
      std::fill_n(scratch_.output[r], blocks_.columns, 0.0F);
      // A sink is a key without a value that every row has seen before the first one.
      scratch_.max[r] = inputs_.sinks.empty() ? kMinusInfinity : inputs_.sinks[row.head];
      scratch_.sum[r] = inputs_.sinks.empty() ? 0.0F : 1.0F;
    }
  }

  /// Adds what the relative term has for queries of a head. Returns `to`, or `from` if that is nothing.
  const float* offset_query(float* to, const float* from, std::size_t head) const noexcept {
    const float* offset = inputs_.relative_term->query_offset(head, shape_);
    if (offset == nullptr) return from;
    map_each(to, from, shape_.head_dim, [=](Vec v, std::size_t i, auto lanes) { return v + lanes.load(offset + i); });
    return to;
  }

  /// Turns one head of a query or key by its table row. Returns `to`, or `from` if there are no tables.
  const float* rotate(float* to, const float* from, std::span<const float> cos, std::span<const float> sin,
                      std::size_t length, std::size_t token) const noexcept {
    if (cos.empty()) return from;
    const std::size_t pairs = rope_.rotary_dim / 2;
    const std::size_t table = cos.size() == length * pairs ? 0 : batch_;
    const std::size_t row = (table * length + token) * pairs;
    rotate_heads(to, from, {}, cos.data() + row, sin.data() + row, rope_.rotary_dim, shape_.head_dim, rope_.pairing);
    return to;
  }

  /// Up to kPanel keys from `first` on, rotated.
  [[nodiscard]] ConstRows rotated_keys(std::size_t kv_head, std::size_t first, std::size_t count) const noexcept {
    const ConstRows keys = head_rows(inputs_.key, shape_.head_dim, kv_head, first);
    if (rope_.key_cos.empty()) return keys;
    for (std::size_t k = 0; k < count; ++k) {
      rotate(scratch_.rotated_keys[k], keys[k], rope_.key_cos, rope_.key_sin, shape_.key_length, first + k);
    }
    return scratch_.rotated_keys;
  }

  /// One head of keys or values from token `first` on.
  [[nodiscard]] ConstRows head_rows(std::span<const float> tensor, std::size_t dim, std::size_t kv_head,
                                    std::size_t first) const noexcept {
    const TensorStrides strides =
        TensorStrides::of(shape_.key_format.value_or(shape_.format), shape_.kv_heads, capacity(shape_), dim);
    return {tensor.data() + batch_ * strides.batch + kv_head * strides.head + first * strides.token, strides.token};
  }

  /// Keys, rotated, and values of a block.
  [[gnu::noinline]] void pack(Range block) noexcept {
    const std::size_t kv_head = rows_[0].kv_head;
    for (std::size_t first = 0; first < block.size(); first += kPanel) {
      const std::size_t count = std::min(block.size() - first, kPanel);
      pack_keys(scratch_.key_panels[first / kPanel], rotated_keys(kv_head, block.first + first, count), count,
                shape_.head_dim);
    }
    if (result_ != AttentionResult::Output) return;
    values_finite_ =
        pack_values(scratch_.value_panels.data, scratch_.value_panels.stride,
                    head_rows(inputs_.value, shape_.value_dim, kv_head, block.first), block.size(), shape_.value_dim);
  }

  /// Products of the queries of a chunk with a block of keys.
  [[gnu::noinline]] void multiply(Chunk chunk, Range block, Range panels) noexcept {
    for (std::size_t p = panels.first; p < panels.last; ++p) {
      const std::size_t first = p * kPanel;
      if (blocks_.packed) {
        score_panel({scratch_.scores.data + first, scratch_.scores.stride},
                    {scratch_.queries[chunk.first], scratch_.queries.stride}, chunk.count, scratch_.key_panels[p],
                    shape_.head_dim);
        continue;
      }
      const std::size_t count = std::min(block.size() - first, kPanel);
      for (std::size_t r = 0; r < chunk.count; r += rows_per_head_) {
        score_rows({scratch_.scores[r] + first, scratch_.scores.stride},
                   {scratch_.queries[chunk.first + r], scratch_.queries.stride}, rows_per_head_,
                   rotated_keys(rows_[chunk.first + r].kv_head, block.first + first, count), count, shape_.head_dim);
      }
    }
  }

  /// From products to scores as they enter the softmax.
  [[gnu::noinline]] void adjust(Chunk chunk, Range block, Range panels) noexcept {
    const Range computed{block.first + panels.first * kPanel, block.first + panels.last * kPanel};
    const bool all_visible = rows_[chunk.first + chunk.count - 1].visible.first <= computed.first &&
                             rows_[chunk.first].visible.last >= computed.last;
    if (all_visible && !adjusts_ && result_ == AttentionResult::Output) return;
    for (std::size_t r = 0; r < chunk.count; ++r) {
      const Row& row = rows_[chunk.first + r];
      const Range seen = clip(row.visible, {computed.first, std::min(computed.last, block.last)});
      float* scores = scratch_.scores[r] + panels.first * kPanel;
      float* first = scores + (seen.first - computed.first);
      std::fill(scores, first, kMinusInfinity);
      std::fill(first + seen.size(), scores + computed.size(), kMinusInfinity);
      if (adjusts_) adjust(first, row, seen);
      if (result_ != AttentionResult::Output) std::copy_n(first, seen.size(), matrix_row(row) + seen.first);
    }
  }

  /// Softcap, bias and masks of one row.
  [[gnu::noinline]] void adjust(float* scores, const Row& row, Range keys) const noexcept {
    const std::size_t n = keys.size();
    if (rule_.softcap != 0.0F) {
      const Vec cap(rule_.softcap);
      const Vec per_cap(1.0F / rule_.softcap);
      map_each(scores, scores, n, [=](Vec s, auto...) { return cap * tanh(s * per_cap); });
    }
    if (!masks_) return;
    if (!inputs_.bias.empty()) {
      const float* bias =
          inputs_.bias.data() + (row.head * shape_.query_length + row.index) * shape_.key_length + keys.first;
      map_each(scores, scores, n, [=](Vec s, std::size_t i, auto lanes) { return s + lanes.load(bias + i); });
    }
    if (inputs_.bias_term != nullptr && n != 0) inputs_.bias_term->add(scores, score_block(row, 1, keys));
    const MaskShape masks = inputs_.mask_shape;
    const std::size_t mask = (masks.batches == 1 ? 0 : batch_) * masks.heads + (masks.heads == 1 ? 0 : row.head);
    const std::size_t mask_row = (mask * masks.queries + (masks.queries == 1 ? 0 : row.index)) * masks.keys;
    if (!inputs_.additive_mask.empty()) {
      const float* added = inputs_.additive_mask.data() + mask_row + keys.first;
      const Vec forbidden(kMinusInfinity);
      map_each(scores, scores, n, [=](Vec s, std::size_t i, auto lanes) {
        const Vec m = lanes.load(added + i);
        return select(m == forbidden, forbidden, s + m);
      });
    }
    if (!inputs_.mask.empty()) forbid(scores, inputs_.mask.data() + mask_row + keys.first, n);
    if (!inputs_.key_valid.empty()) {
      const std::size_t valid_row = inputs_.key_valid.size() == shape_.key_length ? 0 : batch_ * shape_.key_length;
      forbid(scores, inputs_.key_valid.data() + valid_row + keys.first, n);
    }
  }

  static void forbid(float* scores, const std::uint8_t* allowed, std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i) scores[i] = allowed[i] != 0 ? scores[i] : kMinusInfinity;
  }

  /// Adds the weighted values of a block to what the chunk has summed.
  [[gnu::noinline]] void accumulate(Chunk chunk, Range block, Range panels) noexcept {
    const std::size_t first = panels.first * kPanel;
    const std::size_t last = std::min(panels.last * kPanel, block.size());
    if (blocks_.packed && values_finite_) {
      const ConstRows weights{scratch_.scores.data + first, scratch_.scores.stride};
      for (std::size_t column = 0; column < blocks_.columns; column += kPanel) {
        accumulate_panel({scratch_.output[chunk.first] + column, scratch_.output.stride}, scratch_.keep, weights,
                         chunk.count, scratch_.value_panels[column / kPanel] + first * kPanel, last - first);
      }
      return;
    }
    for (std::size_t r = 0; r < chunk.count; ++r) {
      const Vec keep(scratch_.keep[r]);
      float* output = scratch_.output[chunk.first + r];
      map_each(output, output, blocks_.columns, [=](Vec v, auto...) { return keep * v; });
    }
    for (std::size_t k = first; k < last; k += kPanel) {
      for (std::size_t r = 0; r < chunk.count; r += rows_per_head_) {
        accumulate_rows({scratch_.output[chunk.first + r], scratch_.output.stride},
                        {scratch_.scores[r] + k, scratch_.scores.stride}, std::min(chunk.count - r, rows_per_head_),
                        head_rows(inputs_.value, shape_.value_dim, rows_[chunk.first + r].kv_head, block.first + k),
                        std::min(last - k, kPanel), shape_.value_dim);
      }
    }
  }

  /// Writes the rows of a block to out. A row without a key has a sum of 0.
  [[gnu::noinline]] void finish(Chunk all) noexcept {
    if (!normalizes_) return;
    const TensorStrides strides = TensorStrides::of(shape_.format, shape_.heads, shape_.query_length, shape_.value_dim);
    for (std::size_t r = 0; r < all.count; ++r) {
      const Row& row = rows_[r];
      const Vec sum(scratch_.sum[r] == 0.0F ? 1.0F : scratch_.sum[r]);
      if (result_ == AttentionResult::Weights) {
        const Vec max(scratch_.max[r] == kMinusInfinity ? 0.0F : scratch_.max[r]);
        map_each(matrix_row(row), matrix_row(row), shape_.key_length,
                 [=](Vec s, auto...) { return exp(s - max) / sum; });
        continue;
      }
      float* to = out_.data() + batch_ * strides.batch + row.head * strides.head + row.index * strides.token;
      map_each(to, scratch_.output[r], shape_.value_dim, [=](Vec v, auto...) { return v / sum; });
    }
  }

  /// A row of out where that is [batch, heads, query_length, key_length].
  [[nodiscard]] float* matrix_row(const Row& row) const noexcept {
    return out_.data() + ((batch_ * shape_.heads + row.head) * shape_.query_length + row.index) * shape_.key_length;
  }

  std::span<float> out_;
  const AttentionInputs& inputs_;
  const AttentionRope& rope_;
  const AttentionShape& shape_;
  const AttentionRule& rule_;
  AttentionResult result_;
  Blocks blocks_;
  bool normalizes_;  // by the softmax
  bool masks_;       // and adds biases
  bool adjusts_;     // scores by more than position
  Scratch scratch_;

  // Of the sequence at hand.
  std::size_t batch_ = 0;
  std::int64_t first_place_ = 0;  // index among the keys of query 0
  std::size_t keys_ = 0;          // keys from here on are masked

  // Of the block at hand.
  std::size_t rows_per_head_ = 0;
  std::array<Row, kBlockRows> rows_;
  bool values_finite_ = true;
};

[[nodiscard]] bool usable(const AttentionShape& s) noexcept {
  const std::array sizes{s.batch, s.heads, s.kv_heads, s.query_length, s.key_length, s.head_dim, s.value_dim};
  return std::ranges::find(sizes, 0u) == sizes.end() && s.heads % s.kv_heads == 0 && capacity(s) >= s.key_length;
}

/// BadShape if a size overflows, WrongLength if `size` is none of `allowed`.
[[nodiscard]] Status check_length(std::size_t size, std::initializer_list<std::size_t> allowed) noexcept {
  if (std::ranges::find(allowed, kTooLarge) != allowed.end()) return Status::BadShape;
  return std::ranges::find(allowed, size) != allowed.end() ? Status::Ok : Status::WrongLength;
}

[[nodiscard]] Status first_error(std::initializer_list<Status> checks) noexcept {
  const auto* error = std::ranges::find_if(checks, [](Status status) { return status != Status::Ok; });
  return error == checks.end() ? Status::Ok : *error;
}

[[nodiscard]] Status check_terms(const AttentionInputs& in, const AttentionShape& s,
                                 const AttentionRule& rule) noexcept {
  if (in.bias_term == nullptr && in.relative_term == nullptr) return Status::Ok;
  const auto keys = static_cast<std::int64_t>(s.key_length);
  const auto queries = static_cast<std::int64_t>(s.query_length);
  // Index among the keys of the first query: the least and the greatest of all sequences.
  std::int64_t least = rule.query_start ? *rule.query_start - rule.key_start : keys - queries;
  std::int64_t greatest = least;
  if (!rule.query_start && !in.key_lengths.empty()) {
    const auto [fewest, most] = std::ranges::minmax(in.key_lengths);
    least = std::int64_t{fewest} - queries;
    greatest = std::int64_t{most} - queries;
  }
  const DistanceRange distances{least - (keys - 1), greatest + (queries - 1)};
  const auto check = [&](const ScoreTerm* term) { return term == nullptr ? Status::Ok : term->check(s, distances); };
  return first_error({check(in.bias_term), check(in.relative_term)});
}

[[nodiscard]] Status check_tensors(std::span<float> out, const AttentionInputs& in, const AttentionShape& s,
                                   AttentionResult result) noexcept {
  const std::size_t matrix = product({s.heads, s.query_length, s.key_length});
  const MaskShape m = in.mask_shape;
  const std::size_t masks = product({m.batches, m.heads, m.queries, m.keys});
  const bool is_output = result == AttentionResult::Output;
  return first_error({
      check_length(in.query.size(), {product({s.batch, s.query_length, s.heads, s.head_dim})}),
      check_length(in.key.size(), {product({s.batch, capacity(s), s.kv_heads, s.head_dim})}),
      in.value.empty() && !is_output
          ? Status::Ok
          : check_length(in.value.size(), {product({s.batch, capacity(s), s.kv_heads, s.value_dim})}),
      check_length(out.size(),
                   {is_output ? product({s.batch, s.query_length, s.heads, s.value_dim}) : product({s.batch, matrix})}),
      in.bias.empty() ? Status::Ok : check_length(in.bias.size(), {matrix}),
      in.additive_mask.empty() ? Status::Ok : check_length(in.additive_mask.size(), {masks}),
      in.mask.empty() ? Status::Ok : check_length(in.mask.size(), {masks}),
      in.key_valid.empty() ? Status::Ok
                           : check_length(in.key_valid.size(), {s.key_length, product({s.batch, s.key_length})}),
      in.key_lengths.empty() ? Status::Ok : check_length(in.key_lengths.size(), {s.batch}),
      in.sinks.empty() ? Status::Ok : check_length(in.sinks.size(), {s.heads}),
  });
}

/// BadShape unless each size is 1 or full, and the last at most full.
[[nodiscard]] Status check_mask_shape(const AttentionInputs& in, const AttentionShape& s) noexcept {
  if (in.mask.empty() && in.additive_mask.empty()) return Status::Ok;
  const auto spreads = [](std::size_t size, std::size_t full) { return size == 1 || size == full; };
  const MaskShape m = in.mask_shape;
  const bool fits = spreads(m.batches, s.batch) && spreads(m.heads, s.heads) && spreads(m.queries, s.query_length) &&
                    m.keys >= 1 && m.keys <= s.key_length;
  return fits ? Status::Ok : Status::BadShape;
}

[[nodiscard]] Status check_table(std::span<const float> cos, std::span<const float> sin, std::size_t batch,
                                 std::size_t length, std::size_t pairs) noexcept {
  if (cos.empty() && sin.empty()) return Status::Ok;
  const std::size_t rows = product({length, pairs});
  if (cos.size() != sin.size()) return Status::WrongLength;
  return check_length(cos.size(), {rows, product({batch, rows})});
}

[[nodiscard]] Status check_rope(const AttentionRope& rope, const AttentionShape& s) noexcept {
  if (rope.query_cos.empty() && rope.query_sin.empty() && rope.key_cos.empty() && rope.key_sin.empty()) {
    return Status::Ok;
  }
  if (rope.rotary_dim % 2 != 0) return Status::OddDimension;
  if (rope.rotary_dim == 0 || rope.rotary_dim > s.head_dim) return Status::BadShape;
  const std::size_t pairs = rope.rotary_dim / 2;
  return first_error({check_table(rope.query_cos, rope.query_sin, s.batch, s.query_length, pairs),
                      check_table(rope.key_cos, rope.key_sin, s.batch, s.key_length, pairs)});
}

[[nodiscard]] Status check_numbers(const AttentionInputs& in, const AttentionShape& shape,
                                   const AttentionRule& rule) noexcept {
  if (!std::isfinite(rule.scale) || !std::isfinite(rule.softcap)) return Status::NotFinite;
  if (rule.softcap < 0) return Status::OutOfRange;
  if (std::ranges::any_of(in.key_lengths, [&](std::uint32_t keys) { return keys > shape.key_length; })) {
    return Status::OutOfRange;
  }
  const auto is_position = [](std::int64_t p) { return std::abs(static_cast<double>(p)) <= kMaxPosition; };
  return is_position(rule.query_start.value_or(0)) && is_position(rule.key_start) ? Status::Ok : Status::OutOfRange;
}

}  // namespace

std::size_t attention_scratch(const AttentionShape& shape) noexcept {
  return usable(shape) ? Scratch().cut(shape, Blocks::of(shape), nullptr) : 0;
}

Status attention(std::span<float> out, const AttentionInputs& inputs, const AttentionRope& rope,
                 const AttentionShape& shape, const AttentionRule& rule, AttentionResult result,
                 std::span<float> scratch) noexcept {
  if (!usable(shape)) return Status::BadShape;
  const Status status = first_error({check_mask_shape(inputs, shape), check_tensors(out, inputs, shape, result),
                                     check_rope(rope, shape), check_numbers(inputs, shape, rule)});
  if (status != Status::Ok) return status;
  if (const Status terms = check_terms(inputs, shape, rule); terms != Status::Ok) return terms;
  if (scratch.size() < attention_scratch(shape)) return Status::WrongLength;
  Call(out, inputs, rope, shape, rule, result, scratch).run();
  return Status::Ok;
}

}  // namespace posenc
