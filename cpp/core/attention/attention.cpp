#include "core/attention/attention.hpp"

#include <algorithm>
#include <array>

#include "core/attention/attention_blocks.hpp"
#include "core/attention/attention_check.hpp"
#include "core/attention/attention_tile.hpp"
#include "core/attention/score_adjustment.hpp"
#include "core/attention/visible_keys.hpp"
#include "core/numeric/simd.hpp"
#include "core/rotary/rotate_heads.hpp"

namespace posenc {
namespace {

/// A call whose arguments have been checked.
///
/// Its steps must not become one function, hence gnu::noinline. An engine first compiles a whole WebAssembly module in
/// haste. Then it compiles the functions that run often for speed, one by one, in the background, and the fast code
/// takes over when a function is next called: a call that is under way stays in the slow code to its end. As one
/// function, the steps took 21 ms to compile, and a first call of attention, however long, never got to the fast code.
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
        normalizes_(result == AttentionResult::Output || result == AttentionResult::Weights),
        adjustment_(inputs, rule, result),
        blocks_(AttentionBlocks::of(shape)),
        visible_(inputs, shape, rule, result, 0) {
    scratch_.cut(shape, blocks_, scratch.data());
  }

  void run() noexcept {
    const std::size_t rows_per_head = shape_.query_length * (shape_.heads / shape_.kv_heads);
    for (batch_ = 0; batch_ < shape_.batch; ++batch_) {
      visible_ = VisibleKeys(inputs_, shape_, rule_, result_, batch_);
      for (std::size_t head = 0; head < shape_.kv_heads; head += blocks_.kv_heads) {
        for (std::size_t row = 0; row < rows_per_head; row += blocks_.rows_per_head) {
          attend_rows(head, std::min(shape_.kv_heads - head, blocks_.kv_heads), row,
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
    KeyRange visible = {};  // by position
  };

  /// Rows first ... first + count - 1 of the block.
  struct Chunk {
    std::size_t first = 0;
    std::size_t count = 0;
  };

  /// The keys that some row of a chunk may see.
  [[nodiscard]] KeyRange visible_to(Chunk chunk) const noexcept {
    return {rows_[chunk.first].visible.first, rows_[chunk.first + chunk.count - 1].visible.last};
  }

  /// Everything for a block: rows first_row ... of some key heads. Sums over blocks of keys, then the result.
  [[gnu::noinline]] void attend_rows(std::size_t first_head, std::size_t heads, std::size_t first_row,
                                     std::size_t rows_per_head) noexcept {
    const std::size_t group = shape_.heads / shape_.kv_heads;
    const Chunk all{0, heads * rows_per_head};
    for (std::size_t r = 0; r < all.count; ++r) {
      const std::size_t kv_head = first_head + r / rows_per_head;
      const std::size_t row = first_row + r % rows_per_head;
      rows_[r] = {.head = kv_head * group + row % group,
                  .kv_head = kv_head,
                  .index = row / group,
                  .visible = visible_.of(row / group)};
    }
    rows_per_head_ = rows_per_head;
    begin_rows(all);
    const KeyRange keys = visible_to(all);
    for (std::size_t first = keys.first; first < keys.last; first += blocks_.keys) {
      const KeyRange block{first, std::min(keys.last, first + blocks_.keys)};
      if (blocks_.packed) pack(block);
      for (std::size_t r = 0; r < all.count; r += blocks_.chunk_rows) {
        fold_keys(Chunk{r, std::min(all.count - r, blocks_.chunk_rows)}, block);
      }
    }
    finish_rows(all);
  }

  /// Takes a block of keys into the sums of a chunk.
  [[gnu::noinline]] void fold_keys(Chunk chunk, KeyRange block) noexcept {
    const KeyRange seen = visible_to(chunk).clip(block);
    if (seen.size() == 0) return;
    // In whole panels, counted from the first key of the block.
    const KeyRange panels{(seen.first - block.first) / kPanel, round_up(seen.last - block.first, kPanel) / kPanel};
    multiply(chunk, block, panels);
    // The keys of these panels, counted from the first key of the block.
    const KeyRange keys{panels.first * kPanel, std::min(panels.last * kPanel, block.size())};
    if (inputs_.relative_term != nullptr) add_relative_scores(chunk, block, keys);
    form_scores(chunk, block, panels);
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

  [[gnu::noinline]] void add_relative_scores(Chunk chunk, KeyRange block, KeyRange keys) const noexcept {
    for_each_head(chunk, block, keys, [&](std::size_t r, const ScoreBlock& part, const ScoreOperands& operands) {
      inputs_.relative_term->add(rows_of_head(scratch_.scores, r, keys.first), part, operands);
    });
  }

  [[gnu::noinline]] void add_relative_values(Chunk chunk, KeyRange block, KeyRange keys) const noexcept {
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
  void for_each_head(Chunk chunk, KeyRange block, KeyRange keys, Body body) const noexcept {
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
  [[nodiscard]] ScoreBlock score_block(const Row& row, std::size_t queries, KeyRange keys) const noexcept {
    return {.shape = &shape_,
            .batch = batch_,
            .head = row.head,
            .first_query = row.index,
            .queries = queries,
            .first_key = keys.first,
            .keys = keys.size(),
            .query_position = rule_.key_start + visible_.place(row.index),
            .key_position = rule_.key_start + static_cast<std::int64_t>(keys.first)};
  }

  /// Rotates and scales the queries of a block, and empties its sums.
  [[gnu::noinline]] void begin_rows(Chunk all) noexcept {
    const TensorStrides strides = TensorStrides::of(shape_.format, shape_.heads, shape_.query_length, shape_.head_dim);
    for (std::size_t r = 0; r < all.count; ++r) {
      const Row& row = rows_[r];
      const float* from =
          inputs_.query.data() + batch_ * strides.batch + row.head * strides.head + row.index * strides.token;
      if (inputs_.relative_term != nullptr) from = offset_query(scratch_.queries[r], from, row.head);
      const float* rotated =
          rotate(scratch_.queries[r], from, rope_.query_cos, rope_.query_sin, shape_.query_length, row.index);
      map_each(scratch_.queries[r], rotated, shape_.head_dim, [this](Vec v, auto...) { return v * Vec(rule_.scale); });

      if (result_ != AttentionResult::Output) std::fill_n(matrix_row(row), shape_.key_length, kForbidden);
      std::fill_n(scratch_.output[r], blocks_.columns, 0.0F);
      // A sink is a key without a value that every row has seen before the first one.
      scratch_.max[r] = inputs_.sinks.empty() ? kForbidden : inputs_.sinks[row.head];
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
        TensorStrides::of(shape_.key_format.value_or(shape_.format), shape_.kv_heads, key_capacity(shape_), dim);
    return {tensor.data() + batch_ * strides.batch + kv_head * strides.head + first * strides.token, strides.token};
  }

  /// Keys, rotated, and values of a block.
  [[gnu::noinline]] void pack(KeyRange block) noexcept {
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
  [[gnu::noinline]] void multiply(Chunk chunk, KeyRange block, KeyRange panels) noexcept {
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
  [[gnu::noinline]] void form_scores(Chunk chunk, KeyRange block, KeyRange panels) noexcept {
    const KeyRange computed{block.first + panels.first * kPanel, block.first + panels.last * kPanel};
    const bool all_visible = rows_[chunk.first + chunk.count - 1].visible.first <= computed.first &&
                             rows_[chunk.first].visible.last >= computed.last;
    if (all_visible && !adjustment_.needed() && result_ == AttentionResult::Output) return;
    for (std::size_t r = 0; r < chunk.count; ++r) {
      const Row& row = rows_[chunk.first + r];
      const KeyRange seen = row.visible.clip({computed.first, std::min(computed.last, block.last)});
      float* scores = scratch_.scores[r] + panels.first * kPanel;
      float* first = scores + (seen.first - computed.first);
      std::fill(scores, first, kForbidden);
      std::fill(first + seen.size(), scores + computed.size(), kForbidden);
      if (adjustment_.needed() && seen.size() != 0) adjustment_.apply(first, score_block(row, 1, seen));
      if (result_ != AttentionResult::Output) std::copy_n(first, seen.size(), matrix_row(row) + seen.first);
    }
  }

  /// Adds the weighted values of a block to what the chunk has summed.
  [[gnu::noinline]] void accumulate(Chunk chunk, KeyRange block, KeyRange panels) noexcept {
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
  [[gnu::noinline]] void finish_rows(Chunk all) noexcept {
    if (!normalizes_) return;
    const TensorStrides strides = TensorStrides::of(shape_.format, shape_.heads, shape_.query_length, shape_.value_dim);
    for (std::size_t r = 0; r < all.count; ++r) {
      const Row& row = rows_[r];
      const Vec sum(scratch_.sum[r] == 0.0F ? 1.0F : scratch_.sum[r]);
      if (result_ == AttentionResult::Weights) {
        const Vec max(scratch_.max[r] == kForbidden ? 0.0F : scratch_.max[r]);
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
  bool normalizes_;  // by the softmax
  ScoreAdjustment adjustment_;
  AttentionBlocks blocks_;
  AttentionScratch scratch_;

  // Of the sequence at hand.
  std::size_t batch_ = 0;
  VisibleKeys visible_;

  // Of the block at hand.
  std::size_t rows_per_head_ = 0;
  std::array<Row, kBlockRows> rows_;
  bool values_finite_ = true;
};

}  // namespace

std::size_t attention_scratch(const AttentionShape& shape) noexcept {
  return usable(shape) ? AttentionScratch().cut(shape, AttentionBlocks::of(shape), nullptr) : 0;
}

Status attention(std::span<float> out, const AttentionInputs& inputs, const AttentionRope& rope,
                 const AttentionShape& shape, const AttentionRule& rule, AttentionResult result,
                 std::span<float> scratch) noexcept {
  const Status status = check_attention(out, inputs, rope, shape, rule, result);
  if (status != Status::Ok) return status;
  if (scratch.size() < attention_scratch(shape)) return Status::WrongLength;
  Call(out, inputs, rope, shape, rule, result, scratch).run();
  return Status::Ok;
}

}  // namespace posenc
