#include "attention.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "attention_tile.hpp"
#include "rotate_head.hpp"
#include "simd.hpp"

namespace posenc {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

constexpr std::size_t kBlockRows = 128;  // query rows that share a packed block of keys
constexpr std::size_t kChunkRows = 16;  // query rows whose scores are alive at once: they stay in the first-level cache
constexpr std::size_t kBlockKeys = 128;  // a multiple of kPanel
constexpr std::size_t kDirectRows = 4;   // up to so many query rows, packing keys costs more than it gains

/// Keys first ... last - 1.
struct KeyRange {
  std::size_t first = 0;
  std::size_t last = 0;
  [[nodiscard]] std::size_t size() const noexcept { return last - first; }
};

[[nodiscard]] KeyRange intersection(KeyRange a, KeyRange b) noexcept {
  const std::size_t first = std::max(a.first, b.first);
  return {first, std::max(first, std::min(a.last, b.last))};
}

[[nodiscard]] constexpr std::size_t round_up(std::size_t size, std::size_t step) noexcept {
  const std::size_t steps = size / step + (size % step != 0 ? 1 : 0);
  return product({steps, step});
}

/// How a call is cut into blocks. A row is a query of one head; the heads of a group are neighbours at one position.
struct Blocks {
  std::size_t rows = 0;     // rows per block
  std::size_t keys = 0;     // keys per block, in whole panels
  std::size_t columns = 0;  // value channels, in whole panels
  bool packed = false;      // or direct, see attention_tile.hpp

  [[nodiscard]] static Blocks of(const AttentionShape& shape) noexcept {
    const std::size_t rows = product({shape.query_length, shape.heads / shape.kv_heads});
    return {.rows = std::min(rows, kBlockRows),
            .keys = round_up(std::min(shape.key_length, kBlockKeys), kPanel),
            .columns = round_up(shape.value_dim, kPanel),
            .packed = rows > kDirectRows};
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
  float* max = nullptr;   // [rows]       greatest score so far
  float* sum = nullptr;   // [rows]       sum over keys so far of exp(score - max)
  float* keep = nullptr;  // [chunk rows] what remains of output when max grows

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
    const std::size_t chunk_rows = std::min(blocks.rows, kChunkRows);
    queries = take(blocks.rows, shape.head_dim);
    output = take(blocks.rows, blocks.columns);
    scores = take(chunk_rows, blocks.keys);
    rotated_keys = take(kPanel, shape.head_dim);
    if (blocks.packed) {
      key_panels = take(blocks.keys / kPanel, product({shape.head_dim, kPanel}));
      value_panels = take(blocks.columns / kPanel, product({blocks.keys, kPanel}));
    }
    max = take(1, blocks.rows).data;
    sum = take(1, blocks.rows).data;
    keep = take(1, chunk_rows).data;
    return used;
  }
};

/// Replaces each of n floats by update(value, index, read), where read(p) loads what p has for the same lanes.
template <class Update>
void update_each(float* values, std::size_t n, Update update) noexcept {
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    store(values + i, update(load(values + i), i, [](const float* from) { return load(from); }));
  }
  if (const std::size_t rest = n - i; rest != 0) {
    const auto read = [rest](const float* from) { return load_tail(from, rest); };
    store_tail(values + i, update(read(values + i), i, read), rest);
  }
}

/// One step of the online softmax: turns the n scores of a row, whole panels, into exp(score - row_max), where row_max
/// and row_sum take in the new keys. Returns the factor for what was summed under the old row_max.
float fold_softmax(float* scores, std::size_t n, float& row_max, float& row_sum) noexcept {
  std::array<Vec, kPanel / kLanes> parts;
  parts.fill(Vec(kMinusInfinity));
  for (std::size_t i = 0; i < n; i += kPanel) {
    for (std::size_t p = 0; p < parts.size(); ++p) {
      parts[p] = max(parts[p], load(scores + i + p * kLanes));
    }
  }
  float new_max = row_max;
  for (const Vec part : parts) new_max = std::max(new_max, reduce_max(part));
  const float shift = new_max == kMinusInfinity ? 0.0f : new_max;  // no key yet: every exp(score - shift) is 0

  parts.fill(Vec(0.0f));
  for (std::size_t i = 0; i < n; i += kPanel) {
    for (std::size_t p = 0; p < parts.size(); ++p) {
      float* at = scores + i + p * kLanes;
      const Vec e = exp(load(at) - Vec(shift));
      store(at, e);
      parts[p] += e;
    }
  }
  const float keep = row_max == new_max ? 1.0f : exp(Vec(row_max - shift)).get(0);
  Vec total(0.0f);
  for (const Vec part : parts) total += part;
  row_sum = row_sum * keep + reduce_add(total);
  row_max = new_max;
  return keep;
}

/// A call whose arguments have been checked.
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
        group_(shape.heads / shape.kv_heads) {
    scratch_.cut(shape, blocks_, scratch.data());
  }

  void run() noexcept {
    const std::size_t rows = shape_.query_length * group_;
    for (batch_ = 0; batch_ < shape_.batch; ++batch_) {
      for (kv_head_ = 0; kv_head_ < shape_.kv_heads; ++kv_head_) {
        for (first_row_ = 0; first_row_ < rows; first_row_ += blocks_.rows) {
          attend(std::min(rows - first_row_, blocks_.rows));
        }
      }
    }
  }

 private:
  struct Query {
    std::size_t head = 0;
    std::size_t index = 0;  // along query_length
  };

  /// A row of the current block.
  [[nodiscard]] Query query(std::size_t row) const noexcept {
    const std::size_t r = first_row_ + row;
    return {.head = kv_head_ * group_ + r % group_, .index = r / group_};
  }

  /// Where a query stands among the keys.
  [[nodiscard]] std::int64_t place(Query q) const noexcept {
    return rule_.query_start + static_cast<std::int64_t>(q.index);
  }

  /// The keys that a query may see by position. Both ends never fall from one query to the next.
  [[nodiscard]] KeyRange visible(Query q) const noexcept {
    const auto keys = static_cast<std::int64_t>(shape_.key_length);
    static constexpr std::uint64_t kWide = std::uint64_t{1} << 62;  // wider than any tensor, and safe to add to a place
    const auto side = [](std::size_t w) { return static_cast<std::int64_t>(std::min<std::uint64_t>(w, kWide)); };
    const std::int64_t at = place(q);
    std::int64_t first = 0;
    std::int64_t last = keys;
    if (rule_.window_left != kUnbounded) first = at - side(rule_.window_left);
    if (rule_.window_right != kUnbounded) last = at + side(rule_.window_right) + 1;
    if (rule_.causal) last = std::min(last, at + 1);
    first = std::clamp<std::int64_t>(first, 0, keys);
    last = std::clamp<std::int64_t>(last, first, keys);
    return {static_cast<std::size_t>(first), static_cast<std::size_t>(last)};
  }

  /// The keys that some of the rows first ... last - 1 may see.
  [[nodiscard]] KeyRange visible(std::size_t first, std::size_t last) const noexcept {
    return {visible(query(first)).first, visible(query(last - 1)).last};
  }

  /// Everything for a block of rows: sums over blocks of keys, then the result.
  void attend(std::size_t rows) noexcept {
    begin(rows);
    const KeyRange keys = visible(0, rows);
    for (std::size_t first = keys.first; first < keys.last; first += blocks_.keys) {
      const KeyRange block{first, std::min(keys.last, first + blocks_.keys)};
      if (blocks_.packed) pack(block);
      for (std::size_t chunk = 0; chunk < rows; chunk += kChunkRows) {
        attend(chunk, std::min(rows - chunk, kChunkRows), block);
      }
    }
    finish(rows);
  }

  void attend(std::size_t chunk, std::size_t rows, KeyRange block) noexcept {
    const KeyRange seen = intersection(visible(chunk, chunk + rows), block);
    if (seen.size() == 0) return;
    // In whole panels, counted from the first key of the block.
    const KeyRange panels{(seen.first - block.first) / kPanel, round_up(seen.last - block.first, kPanel) / kPanel};
    score(chunk, rows, block, panels);
    if (result_ != AttentionResult::Scores) {
      for (std::size_t r = 0; r < rows; ++r) {
        scratch_.keep[r] = fold_softmax(scratch_.scores[r] + panels.first * kPanel, panels.size() * kPanel,
                                        scratch_.max[chunk + r], scratch_.sum[chunk + r]);
      }
    }
    if (result_ == AttentionResult::Output) accumulate(chunk, rows, block, panels);
  }

  /// Rotates and scales the queries of a block, and empties its sums.
  void begin(std::size_t rows) noexcept {
    for (std::size_t r = 0; r < rows; ++r) {
      const Query q = query(r);
      const TensorStrides strides =
          TensorStrides::of(shape_.format, shape_.heads, shape_.query_length, shape_.head_dim);
      const float* from =
          inputs_.query.data() + batch_ * strides.batch + q.head * strides.head + q.index * strides.token;
      rotate(scratch_.queries[r], from, rope_.query_cos, rope_.query_sin, shape_.query_length, q.index);
      update_each(scratch_.queries[r], shape_.head_dim, [this](Vec v, auto...) { return v * Vec(rule_.scale); });

      if (result_ != AttentionResult::Output) std::fill_n(matrix_row(q), shape_.key_length, kMinusInfinity);
      std::fill_n(scratch_.output[r], blocks_.columns, 0.0f);
      // A sink is a key without a value that every row has seen before the first one.
      scratch_.max[r] = inputs_.sinks.empty() ? kMinusInfinity : inputs_.sinks[q.head];
      scratch_.sum[r] = inputs_.sinks.empty() ? 0.0f : 1.0f;
    }
  }

  /// One head of a query or key, turned by its table row if there are tables.
  void rotate(float* to, const float* from, std::span<const float> cos, std::span<const float> sin, std::size_t length,
              std::size_t token) const noexcept {
    if (cos.empty()) {
      std::copy_n(from, shape_.head_dim, to);
      return;
    }
    const std::size_t pairs = rope_.rotary_dim / 2;
    const std::size_t table = cos.size() == length * pairs ? 0 : batch_;
    const std::size_t row = (table * length + token) * pairs;
    rotate_head(to, from, cos.data() + row, sin.data() + row, rope_.rotary_dim, shape_.head_dim, rope_.pairing);
  }

  /// Up to kPanel keys from `first` on, rotated.
  [[nodiscard]] ConstRows keys_from(std::size_t first, std::size_t count) const noexcept {
    const ConstRows rows = key_side_rows(inputs_.key, shape_.head_dim, first);
    if (rope_.key_cos.empty()) return rows;
    for (std::size_t k = 0; k < count; ++k) {
      rotate(scratch_.rotated_keys[k], rows[k], rope_.key_cos, rope_.key_sin, shape_.key_length, first + k);
    }
    return scratch_.rotated_keys;
  }

  [[nodiscard]] ConstRows values_from(std::size_t first) const noexcept {
    return key_side_rows(inputs_.value, shape_.value_dim, first);
  }

  [[nodiscard]] ConstRows key_side_rows(std::span<const float> tensor, std::size_t dim,
                                        std::size_t first) const noexcept {
    const TensorStrides strides = TensorStrides::of(shape_.format, shape_.kv_heads, shape_.key_length, dim);
    return {tensor.data() + batch_ * strides.batch + kv_head_ * strides.head + first * strides.token, strides.token};
  }

  void pack(KeyRange block) noexcept {
    for (std::size_t first = 0; first < block.size(); first += kPanel) {
      const std::size_t count = std::min(block.size() - first, kPanel);
      pack_keys(scratch_.key_panels[first / kPanel], keys_from(block.first + first, count), count, shape_.head_dim);
    }
    if (result_ != AttentionResult::Output) return;
    values_finite_ = pack_values(scratch_.value_panels.data, scratch_.value_panels.stride, values_from(block.first),
                                 block.size(), shape_.value_dim);
  }

  /// The scores of a chunk of rows, as they enter the softmax.
  void score(std::size_t chunk, std::size_t rows, KeyRange block, KeyRange panels) noexcept {
    const ConstRows queries{scratch_.queries[chunk], scratch_.queries.stride};
    for (std::size_t p = panels.first; p < panels.last; ++p) {
      const std::size_t first = p * kPanel;
      const Rows scores{scratch_.scores.data + first, scratch_.scores.stride};
      if (blocks_.packed) {
        score_panel(scores, queries, rows, scratch_.key_panels[p], shape_.head_dim);
      } else {
        const std::size_t count = std::min(block.size() - first, kPanel);
        score_rows(scores, queries, rows, keys_from(block.first + first, count), count, shape_.head_dim);
      }
    }
    for (std::size_t r = 0; r < rows; ++r) {
      const Query q = query(chunk + r);
      const KeyRange seen = intersection(visible(q), block);
      float* row = scratch_.scores[r];
      float* first = row + (seen.first - block.first);
      std::fill(row + panels.first * kPanel, first, kMinusInfinity);
      std::fill(first + seen.size(), row + panels.last * kPanel, kMinusInfinity);
      adjust(first, q, seen);
      if (result_ != AttentionResult::Output) std::copy_n(first, seen.size(), matrix_row(q) + seen.first);
    }
  }

  /// From products to scores: softcap, bias, masks.
  void adjust(float* scores, Query q, KeyRange keys) const noexcept {
    const std::size_t n = keys.size();
    if (rule_.softcap != 0.0f) {
      const Vec cap(rule_.softcap);
      const Vec per_cap(1.0f / rule_.softcap);
      update_each(scores, n, [=](Vec s, auto...) { return cap * tanh(s * per_cap); });
    }
    if (!inputs_.bias.empty()) {
      const float* bias = &inputs_.bias[(q.head * shape_.query_length + q.index) * shape_.key_length + keys.first];
      update_each(scores, n, [=](Vec s, std::size_t i, auto read) { return s + read(bias + i); });
    }
    if (!inputs_.alibi_slopes.empty()) add_alibi(scores, q, keys);
    const std::size_t mask_row = (((inputs_.mask_shape.batches == 1 ? 0 : batch_) * inputs_.mask_shape.heads +
                                   (inputs_.mask_shape.heads == 1 ? 0 : q.head)) *
                                      shape_.query_length +
                                  q.index) *
                                 shape_.key_length;
    if (!inputs_.additive_mask.empty()) {
      const float* mask = &inputs_.additive_mask[mask_row + keys.first];
      const Vec forbidden(kMinusInfinity);
      update_each(scores, n, [=](Vec s, std::size_t i, auto read) {
        const Vec m = read(mask + i);
        return select(m == forbidden, forbidden, s + m);
      });
    }
    if (!inputs_.mask.empty()) forbid(scores, &inputs_.mask[mask_row + keys.first], n);
    if (!inputs_.key_valid.empty()) {
      const std::size_t row = inputs_.key_valid.size() == shape_.key_length ? 0 : batch_ * shape_.key_length;
      forbid(scores, &inputs_.key_valid[row + keys.first], n);
    }
  }

  void add_alibi(float* scores, Query q, KeyRange keys) const noexcept {
    std::array<float, kLanes> lanes;
    for (std::size_t i = 0; i < kLanes; ++i) lanes[i] = static_cast<float>(i);
    const Vec slope(static_cast<float>(inputs_.alibi_slopes[q.head]));
    const Vec to_first(static_cast<float>(place(q) - static_cast<std::int64_t>(keys.first)));
    const Vec distances = to_first - load(lanes.data());  // of the first keys; query - key
    update_each(scores, keys.size(), [&](Vec s, std::size_t i, auto) {
      const Vec distance = distances - Vec(static_cast<float>(i));
      return neg_mul_add(slope, rule_.causal ? distance : abs(distance), s);
    });
  }

  static void forbid(float* scores, const std::uint8_t* allowed, std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i) scores[i] = allowed[i] != 0 ? scores[i] : kMinusInfinity;
  }

  void accumulate(std::size_t chunk, std::size_t rows, KeyRange block, KeyRange panels) noexcept {
    const std::size_t first = panels.first * kPanel;
    const std::size_t count = std::min(panels.last * kPanel, block.size()) - first;
    const ConstRows weights{scratch_.scores.data + first, scratch_.scores.stride};
    const Rows output{scratch_.output[chunk], scratch_.output.stride};
    if (!blocks_.packed || !values_finite_) {
      accumulate_rows(output, scratch_.keep, weights, rows, values_from(block.first + first), count, shape_.value_dim);
      return;
    }
    for (std::size_t column = 0; column < blocks_.columns; column += kPanel) {
      const float* panel = scratch_.value_panels[column / kPanel] + first * kPanel;
      accumulate_panel({output.data + column, output.stride}, scratch_.keep, weights, rows, panel, count);
    }
  }

  /// Writes the rows of a block to out. A row without a key has a sum of 0.
  void finish(std::size_t rows) noexcept {
    if (result_ == AttentionResult::Scores) return;
    for (std::size_t r = 0; r < rows; ++r) {
      const Query q = query(r);
      const Vec sum(scratch_.sum[r] == 0.0f ? 1.0f : scratch_.sum[r]);
      if (result_ == AttentionResult::Weights) {
        const Vec max(scratch_.max[r] == kMinusInfinity ? 0.0f : scratch_.max[r]);
        update_each(matrix_row(q), shape_.key_length, [=](Vec s, auto...) { return exp(s - max) / sum; });
        continue;
      }
      update_each(scratch_.output[r], shape_.value_dim, [=](Vec v, auto...) { return v / sum; });
      const TensorStrides strides =
          TensorStrides::of(shape_.format, shape_.heads, shape_.query_length, shape_.value_dim);
      std::copy_n(scratch_.output[r], shape_.value_dim,
                  out_.data() + batch_ * strides.batch + q.head * strides.head + q.index * strides.token);
    }
  }

  /// The row of a query where out is [batch, heads, query_length, key_length].
  [[nodiscard]] float* matrix_row(Query q) const noexcept {
    return out_.data() + ((batch_ * shape_.heads + q.head) * shape_.query_length + q.index) * shape_.key_length;
  }

  std::span<float> out_;
  const AttentionInputs& inputs_;
  const AttentionRope& rope_;
  const AttentionShape& shape_;
  const AttentionRule& rule_;
  AttentionResult result_;
  Blocks blocks_;
  Scratch scratch_;
  std::size_t group_;  // query heads per key head

  std::size_t batch_ = 0;  // of the block at hand
  std::size_t kv_head_ = 0;
  std::size_t first_row_ = 0;
  bool values_finite_ = true;
};

[[nodiscard]] bool usable(const AttentionShape& s) noexcept {
  const std::array sizes{s.batch, s.heads, s.kv_heads, s.query_length, s.key_length, s.head_dim, s.value_dim};
  return std::ranges::find(sizes, 0u) == sizes.end() && s.heads % s.kv_heads == 0;
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

[[nodiscard]] Status check_tensors(std::span<float> out, const AttentionInputs& in, const AttentionShape& s,
                                   AttentionResult result) noexcept {
  const std::size_t matrix = product({s.heads, s.query_length, s.key_length});
  const std::size_t masks = product({in.mask_shape.batches, in.mask_shape.heads, s.query_length, s.key_length});
  return first_error({
      check_length(in.query.size(), {product({s.batch, s.query_length, s.heads, s.head_dim})}),
      check_length(in.key.size(), {product({s.batch, s.key_length, s.kv_heads, s.head_dim})}),
      check_length(in.value.size(), {product({s.batch, s.key_length, s.kv_heads, s.value_dim})}),
      check_length(out.size(),
                   {result == AttentionResult::Output ? product({s.batch, s.query_length, s.heads, s.value_dim})
                                                      : product({s.batch, matrix})}),
      in.bias.empty() ? Status::Ok : check_length(in.bias.size(), {matrix}),
      in.alibi_slopes.empty() ? Status::Ok : check_length(in.alibi_slopes.size(), {s.heads}),
      in.additive_mask.empty() ? Status::Ok : check_length(in.additive_mask.size(), {masks}),
      in.mask.empty() ? Status::Ok : check_length(in.mask.size(), {masks}),
      in.key_valid.empty() ? Status::Ok
                           : check_length(in.key_valid.size(), {s.key_length, product({s.batch, s.key_length})}),
      in.sinks.empty() ? Status::Ok : check_length(in.sinks.size(), {s.heads}),
  });
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

[[nodiscard]] Status check_numbers(const AttentionInputs& in, const AttentionRule& rule) noexcept {
  const bool slopes_finite = std::ranges::all_of(in.alibi_slopes, [](double slope) { return std::isfinite(slope); });
  if (!std::isfinite(rule.scale) || !std::isfinite(rule.softcap) || !slopes_finite) return Status::NotFinite;
  if (rule.softcap < 0) return Status::OutOfRange;
  const auto start = static_cast<double>(rule.query_start);
  return std::abs(start) > kMaxPosition ? Status::OutOfRange : Status::Ok;
}

}  // namespace

std::size_t attention_scratch(const AttentionShape& shape) noexcept {
  return usable(shape) ? Scratch().cut(shape, Blocks::of(shape), nullptr) : 0;
}

Status attention(std::span<float> out, const AttentionInputs& inputs, const AttentionRope& rope,
                 const AttentionShape& shape, const AttentionRule& rule, AttentionResult result,
                 std::span<float> scratch) noexcept {
  if (!usable(shape)) return Status::BadShape;
  const MaskShape masks = inputs.mask_shape;
  const bool masked = !inputs.mask.empty() || !inputs.additive_mask.empty();
  if (masked && masks.batches != 1 && masks.batches != shape.batch) return Status::BadShape;
  if (masked && masks.heads != 1 && masks.heads != shape.heads) return Status::BadShape;
  const Status status =
      first_error({check_tensors(out, inputs, shape, result), check_rope(rope, shape), check_numbers(inputs, rule)});
  if (status != Status::Ok) return status;
  if (scratch.size() < attention_scratch(shape)) return Status::WrongLength;
  Call(out, inputs, rope, shape, rule, result, scratch).run();
  return Status::Ok;
}

}  // namespace posenc
