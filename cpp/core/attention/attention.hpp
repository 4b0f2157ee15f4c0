#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "core/attention/score_term.hpp"
#include "core/numeric/shape.hpp"
#include "core/numeric/status.hpp"
#include "core/rotary/rope.hpp"

namespace posenc {

struct AttentionShape {
  std::size_t batch = 1;
  std::size_t heads = 0;     // of the queries
  std::size_t kv_heads = 0;  // divides heads: query head h reads key head h / (heads / kv_heads)
  std::size_t query_length = 0;
  std::size_t key_length = 0;
  std::size_t head_dim = 0;   // of queries and keys
  std::size_t value_dim = 0;  // of values and output
  TensorFormat format = TensorFormat::Bshd;
  std::optional<TensorFormat> key_format = {};  // of keys and values, where it is another one
  std::size_t key_capacity = 0;  // keys that a sequence has room for in memory, the first key_length of them in use;
                                 // 0 for no more than these
};

/// How many keys a sequence has room for in memory.
[[nodiscard]] constexpr std::size_t key_capacity(const AttentionShape& shape) noexcept {
  return shape.key_capacity == 0 ? shape.key_length : shape.key_capacity;
}

/// A window side without a limit.
inline constexpr std::size_t kUnbounded = std::numeric_limits<std::size_t>::max();

/// Which keys a query may see by position, and how a score is formed.
struct AttentionRule {
  float scale = 1;
  float softcap = 0;                        // c > 0 turns a scaled score s into c tanh(s / c); 0 leaves it
  std::optional<std::int64_t> query_start;  // position of query 0; without one, the last query is the last key
  std::int64_t key_start = 0;               // position of key 0
  bool causal = false;                      // key <= query
  std::size_t window_left = kUnbounded;     // query - key <= window_left
  std::size_t window_right = kUnbounded;    // key - query <= window_right
};

/// A mask [batches, heads, queries, keys]. Each of the first three sizes is 1, one mask for all, or full. Keys past the
/// last size are forbidden.
struct MaskShape {
  std::size_t batches = 1;
  std::size_t heads = 1;
  std::size_t queries = 0;
  std::size_t keys = 0;
};

/// What is attended. Optional inputs that a call does not use stay empty.
struct AttentionInputs {
  std::span<const float> query;                 // [batch, query_length, heads, head_dim], or as format says
  std::span<const float> key;                   // [batch, key_capacity, kv_heads, head_dim]
  std::span<const float> value;                 // [batch, key_capacity, kv_heads, value_dim]; only Output needs it
  std::span<const float> bias = {};             // [heads, query_length, key_length], added after the softcap
  const BiasTerm* bias_term = nullptr;          // added after the softcap
  const RelativeTerm* relative_term = nullptr;  // a part of the scaled scores
  std::span<const float> additive_mask = {};    // MaskShape; added like a bias, -infinity forbids
  std::span<const std::uint8_t> mask = {};      // MaskShape; 1 = may attend
  MaskShape mask_shape = {};
  std::span<const std::uint8_t> key_valid = {};     // [key_length] or [batch, key_length]; 0 = padding
  std::span<const std::uint32_t> key_lengths = {};  // [batch]: how many keys a sequence has, the others are padding
  std::span<const float> sinks = {};                // [heads]: one more logit in the denominator, without a value
};

/// Rotary tables for the queries and keys of a call, see rope_table. Empty tables leave a side as it is, so that keys
/// may come from a cache that holds them rotated.
struct AttentionRope {
  std::span<const float> query_cos = {};  // [query_length, rotary_dim / 2] or [batch, query_length, rotary_dim / 2]
  std::span<const float> query_sin = {};  // the same
  std::span<const float> key_cos = {};    // [key_length, rotary_dim / 2] or [batch, key_length, rotary_dim / 2]
  std::span<const float> key_sin = {};    // the same
  std::size_t rotary_dim = 0;
  Pairing pairing = Pairing::Half;
};

enum class AttentionResult {
  Output,   // [batch, query_length, heads, value_dim], or as format says
  Weights,  // [batch, heads, query_length, key_length]: after the softmax
  Scores,   // the same axes: what enters the softmax, -infinity where masked
  Capped,   // the same axes: after the softcap, of all keys, whatever is masked
  Scaled,   // the same axes: before the softcap, of all keys
};

/// Whether biases have been added to a result, and masks applied.
[[nodiscard]] constexpr bool is_masked(AttentionResult result) noexcept {
  return result != AttentionResult::Capped && result != AttentionResult::Scaled;
}

/// Scaled dot-product attention with rotary embedding inside.
///
/// Order      relative term, scale, softcap, biases and additive mask, masks, softmax, values.
/// out        as AttentionResult says; overlaps no input. Rows without a key to attend to are zeros (Output, Weights).
/// scratch    at least attention_scratch(shape) floats; O(block), never [query_length, key_length]
///
/// Errors     WrongLength; BadShape (also a mask shape that is neither 1 nor full, and fewer places in key_capacity
/// than
///            keys in key_length); OddDimension; OutOfRange (|query_start| or |key_start| > kMaxPosition, a negative
///            softcap, a key length past key_length); NotFinite (scale, softcap); what a term finds. out is then
///            unchanged. A NaN or infinity in the tensors reaches only the rows that attend to it.
/// Accuracy   products and sums in float, online softmax in blocks of keys: outputs within 5e-6 of the largest |value|,
///            weights within 5e-6, while scores stay below 100 (a larger score s is itself known to 2^-24 |s| only);
///            scores within 1e-6 (|scale| |query| |key| + |score|).
/// Source     Vaswani et al. 2017, arXiv:1706.03762; Ainslie et al. 2023, arXiv:2305.13245 (grouped heads);
///            Milakov and Gimelshein 2018, arXiv:1805.02867 (online softmax).
[[nodiscard]] Status attention(std::span<float> out, const AttentionInputs& inputs, const AttentionRope& rope,
                               const AttentionShape& shape, const AttentionRule& rule, AttentionResult result,
                               std::span<float> scratch) noexcept;

/// How many floats `attention` needs as scratch, kTooLarge if they do not fit, 0 for a shape that it refuses.
[[nodiscard]] std::size_t attention_scratch(const AttentionShape& shape) noexcept;

}  // namespace posenc
