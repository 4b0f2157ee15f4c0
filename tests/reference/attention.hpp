#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "core/attention/attention.hpp"
#include "reference/rope.hpp"

// Attention as its formula reads, in double, one query and one key at a time. It borrows shapes from the core, never
// arithmetic.

namespace posenc::reference {

struct AttentionMatrices {
  std::vector<double> scaled;   // [batch, heads, query_length, key_length]
  std::vector<double> capped;   // the same
  std::vector<double> scores;   // the same
  std::vector<double> weights;  // the same
  std::vector<double> output;   // as the shape's format says
};

/// What an encoding adds for head h of sequence b, query i and key j: as its formula says, where it is there.
struct Terms {
  std::function<double(std::size_t b, std::size_t h, std::size_t i, std::size_t j)> product = {};  // to query . key
  std::function<double(std::size_t b, std::size_t h, std::size_t i, std::size_t j)> bias = {};     // after the softcap
  std::function<double(std::size_t i, std::size_t j, std::size_t c)> value = {};  // to channel c of the value
};

inline AttentionMatrices attention(const AttentionInputs& in, const AttentionRope& rope, const AttentionShape& s,
                                   const AttentionRule& rule, const Terms& terms = {}) {
  constexpr double kForbidden = -std::numeric_limits<double>::infinity();
  const auto turned = [&](std::span<const float> tensor, std::size_t offset, std::span<const float> cos,
                          std::span<const float> sin, std::size_t b, std::size_t length, std::size_t token) {
    if (cos.empty()) return std::vector<double>(&tensor[offset], &tensor[offset] + s.head_dim);
    const std::size_t pairs = rope.rotary_dim / 2;
    const std::size_t row = (cos.size() == length * pairs ? token : b * length + token) * pairs;
    return rotated(&tensor[offset], s.head_dim, &cos[row], &sin[row], rope.rotary_dim, rope.pairing);
  };

  const std::size_t capacity = s.key_capacity == 0 ? s.key_length : s.key_capacity;
  const TensorFormat key_format = s.key_format.value_or(s.format);
  AttentionMatrices result;
  result.scores.assign(s.batch * s.heads * s.query_length * s.key_length, kForbidden);
  result.scaled.assign(result.scores.size(), 0);
  result.capped.assign(result.scores.size(), 0);
  result.weights.assign(result.scores.size(), 0);
  result.output.assign(s.batch * s.heads * s.query_length * s.value_dim, 0);
  for (std::size_t b = 0; b < s.batch; ++b) {
    const std::size_t present = in.key_lengths.empty() ? s.key_length : in.key_lengths[b];
    const double first_place = rule.query_start.has_value()
                                   ? static_cast<double>(*rule.query_start) - static_cast<double>(rule.key_start)
                                   : static_cast<double>(present) - static_cast<double>(s.query_length);
    for (std::size_t h = 0; h < s.heads; ++h) {
      const std::size_t kv = h / (s.heads / s.kv_heads);
      std::vector<std::vector<double>> keys(s.key_length);
      for (std::size_t j = 0; j < s.key_length; ++j) {
        const std::size_t k_offset = head_offset(key_format, b, s.kv_heads, kv, capacity, j, s.head_dim);
        keys[j] = turned(in.key, k_offset, rope.key_cos, rope.key_sin, b, s.key_length, j);
      }
      for (std::size_t i = 0; i < s.query_length; ++i) {
        const std::size_t q_offset = head_offset(s.format, b, s.heads, h, s.query_length, i, s.head_dim);
        const std::vector<double> turned_query =
            turned(in.query, q_offset, rope.query_cos, rope.query_sin, b, s.query_length, i);
        const double* query = turned_query.data();
        const std::size_t matrix_row = ((b * s.heads + h) * s.query_length + i) * s.key_length;
        double* scores = &result.scores[matrix_row];
        double* weights = &result.weights[matrix_row];

        for (std::size_t j = 0; j < s.key_length; ++j) {
          double score = 0;
          const double* key = keys[j].data();
          for (std::size_t d = 0; d < s.head_dim; ++d) score += query[d] * key[d];
          if (terms.product) score += terms.product(b, h, i, j);
          score *= rule.scale;
          result.scaled[matrix_row + j] = score;
          if (rule.softcap != 0) score = rule.softcap * std::tanh(score / rule.softcap);
          result.capped[matrix_row + j] = score;

          const double distance = first_place + static_cast<double>(i) - static_cast<double>(j);  // query - key
          bool allowed = j < present;
          if (rule.causal && distance < 0) allowed = false;
          if (rule.window_left != kUnbounded && distance > static_cast<double>(rule.window_left)) allowed = false;
          if (rule.window_right != kUnbounded && -distance > static_cast<double>(rule.window_right)) allowed = false;
          if (!in.key_valid.empty()) {
            const std::size_t row = in.key_valid.size() == s.key_length ? 0 : b;
            if (in.key_valid[row * s.key_length + j] == 0) allowed = false;
          }
          const MaskShape m = in.mask_shape;
          const auto along = [](std::size_t size, std::size_t at) { return size == 1 ? 0 : at; };
          const std::size_t mask_at =
              ((along(m.batches, b) * m.heads + along(m.heads, h)) * m.queries + along(m.queries, i)) * m.keys + j;
          if (!(in.mask.empty() && in.additive_mask.empty()) && j >= m.keys) allowed = false;
          if (allowed && !in.mask.empty() && in.mask[mask_at] == 0) allowed = false;
          if (allowed && !in.additive_mask.empty() && in.additive_mask[mask_at] == kForbidden) allowed = false;
          if (!allowed) continue;

          if (!in.bias.empty()) score += in.bias[(h * s.query_length + i) * s.key_length + j];
          if (terms.bias) score += terms.bias(b, h, i, j);
          if (!in.additive_mask.empty()) score += in.additive_mask[mask_at];
          scores[j] = score;
        }

        double greatest = in.sinks.empty() ? kForbidden : double{in.sinks[h]};
        for (std::size_t j = 0; j < s.key_length; ++j) greatest = std::fmax(greatest, scores[j]);
        double sum = in.sinks.empty() ? 0 : std::exp(in.sinks[h] - greatest);
        for (std::size_t j = 0; j < s.key_length; ++j) {
          if (scores[j] == kForbidden) continue;
          weights[j] = std::exp(scores[j] - greatest);
          sum += weights[j];
        }
        double* output = &result.output[head_offset(s.format, b, s.heads, h, s.query_length, i, s.value_dim)];
        for (std::size_t j = 0; j < s.key_length; ++j) {
          if (scores[j] == kForbidden) continue;
          weights[j] /= sum;
          const std::size_t v_offset = head_offset(key_format, b, s.kv_heads, kv, capacity, j, s.value_dim);
          const float* value = &in.value[v_offset];
          for (std::size_t d = 0; d < s.value_dim; ++d) {
            output[d] += weights[j] * (value[d] + (terms.value ? terms.value(i, j, d) : 0));
          }
        }
      }
    }
  }
  return result;
}

}  // namespace posenc::reference
