#pragma once

#include <cstddef>
#include <span>

#include "attention.hpp"
#include "status.hpp"

namespace posenc {

/// What is attended, and the two tables that a model learned, which its heads share. Row r of a table stands for the
/// relative position key - query = r - clip.
struct ShawInputs {
  std::span<const float> query;             // [batch, query_length, heads, head_dim], or as format says
  std::span<const float> key;               // [batch, key_length, kv_heads, head_dim]
  std::span<const float> value;             // [batch, key_length, kv_heads, value_dim]
  std::span<const float> key_table;         // [2 clip + 1, head_dim]
  std::span<const float> value_table = {};  // [2 clip + 1, value_dim]; empty where values have none
};

struct ShawRule {
  std::size_t clip = 0;    // relative positions beyond it share its row
  double query_start = 0;  // index among the keys of the first query: whole, |query_start| <= kMaxPosition
  bool causal = false;     // key <= query
};

/// Attention with relative position representations: the score of query i and key j is
/// query_i . (key_j + key_table[row]) / sqrt(head_dim), and the output sums weight (value_j + value_table[row]).
///
/// out        as AttentionResult says; overlaps no input. Rows without a key to attend to are zeros (Output, Weights)
/// scratch    at least shaw_scratch(shape, rule) doubles
///
/// Errors     BadShape, WrongLength, OutOfRange (query_start); out is then unchanged. A NaN or infinity in the tensors
///            reaches only the rows that attend to it.
/// Accuracy   sums and softmax in double, each result rounded once.
/// Source     Shaw, Uszkoreit and Vaswani 2018, arXiv:1803.02155, section 3.
[[nodiscard]] Status shaw_attention(std::span<float> out, const ShawInputs& inputs, const AttentionShape& shape,
                                    ShawRule rule, AttentionResult result, std::span<double> scratch) noexcept;

/// How many doubles `shaw_attention` needs as scratch; kTooLarge if they do not fit.
[[nodiscard]] std::size_t shaw_scratch(const AttentionShape& shape, ShawRule rule) noexcept;

}  // namespace posenc
