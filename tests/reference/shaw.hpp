#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/shaw.hpp"
#include "reference/attention.hpp"
#include "reference/rope.hpp"

namespace posenc::reference {

/// The formulas of the paper in double, one query and one key at a time.
inline AttentionMatrices shaw_attention(const ShawInputs& in, const AttentionShape& s, ShawRule rule) {
  const long clip = static_cast<long>(rule.clip);
  AttentionMatrices result;
  result.scores.assign(s.batch * s.heads * s.query_length * s.key_length, -std::numeric_limits<double>::infinity());
  result.weights.assign(result.scores.size(), 0);
  result.output.assign(s.batch * s.heads * s.query_length * s.value_dim, 0);
  for (std::size_t b = 0; b < s.batch; ++b) {
    for (std::size_t h = 0; h < s.heads; ++h) {
      const std::size_t kv = h / (s.heads / s.kv_heads);
      for (std::size_t i = 0; i < s.query_length; ++i) {
        const std::size_t first = ((b * s.heads + h) * s.query_length + i) * s.key_length;
        const float* query = &in.query[head_offset(s.format, b, s.heads, h, s.query_length, i, s.head_dim)];
        const auto row = [&](std::size_t j) {
          const long relative = static_cast<long>(j) - static_cast<long>(rule.query_start) - static_cast<long>(i);
          return static_cast<std::size_t>(std::clamp(relative, -clip, clip) + clip);
        };
        const auto allowed = [&](std::size_t j) {
          return !rule.causal || static_cast<double>(j) <= rule.query_start + static_cast<double>(i);
        };
        double sum = 0;
        for (std::size_t j = 0; j < s.key_length; ++j) {
          if (!allowed(j)) continue;
          const float* key = &in.key[head_offset(s.format, b, s.kv_heads, kv, s.key_length, j, s.head_dim)];
          double score = 0;
          for (std::size_t c = 0; c < s.head_dim; ++c) {
            score += double{query[c]} * (double{key[c]} + double{in.key_table[row(j) * s.head_dim + c]});
          }
          result.scores[first + j] = score / std::sqrt(static_cast<double>(s.head_dim));
          sum += std::exp(result.scores[first + j]);
        }
        const std::size_t to = head_offset(s.format, b, s.heads, h, s.query_length, i, s.value_dim);
        for (std::size_t j = 0; j < s.key_length; ++j) {
          if (!allowed(j)) continue;
          const double weight = result.weights[first + j] = std::exp(result.scores[first + j]) / sum;
          const float* value = &in.value[head_offset(s.format, b, s.kv_heads, kv, s.key_length, j, s.value_dim)];
          for (std::size_t c = 0; c < s.value_dim; ++c) {
            const double added = in.value_table.empty() ? 0 : in.value_table[row(j) * s.value_dim + c];
            result.output[to + c] += weight * (double{value[c]} + added);
          }
        }
      }
    }
  }
  return result;
}

}  // namespace posenc::reference
