#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/transformer_xl.hpp"
#include "reference/rope.hpp"

namespace posenc::reference {

/// R(t) . projection for one distance: [heads, head_dim].
inline std::vector<double> projected_sinusoid(double distance, std::span<const float> projection, std::size_t dim,
                                              std::size_t columns) {
  const std::size_t sines = (dim + 1) / 2;
  std::vector<double> row(columns, 0);
  for (std::size_t m = 0; m < dim; ++m) {
    const std::size_t p = m < sines ? m : m - sines;
    const double angle = distance * std::pow(10000.0, -2.0 * static_cast<double>(p) / static_cast<double>(dim));
    const double wave = m < sines ? std::sin(angle) : std::cos(angle);
    for (std::size_t c = 0; c < columns; ++c) row[c] += wave * double{projection[m * columns + c]};
  }
  return row;
}

/// The formula of the paper in double; relative_key(distance) gives [heads, head_dim].
template <class RelativeKey>
std::vector<double> transformer_xl_scores(const TransformerXlInputs& in, const AttentionShape& s,
                                          TransformerXlRule rule, RelativeKey relative_key) {
  std::vector<double> scores;
  for (std::size_t b = 0; b < s.batch; ++b) {
    for (std::size_t h = 0; h < s.heads; ++h) {
      for (std::size_t i = 0; i < s.query_length; ++i) {
        for (std::size_t j = 0; j < s.key_length; ++j) {
          const double distance = rule.memory_length + static_cast<double>(i) - static_cast<double>(j);
          if (rule.causal && distance < 0) {
            scores.push_back(-std::numeric_limits<double>::infinity());
            continue;
          }
          const std::vector<double> r = relative_key(distance);
          const std::size_t kv = h / (s.heads / s.kv_heads);
          const std::size_t q_at = head_offset(s.format, b, s.heads, h, s.query_length, i, s.head_dim);
          const std::size_t k_at = head_offset(s.format, b, s.kv_heads, kv, s.key_length, j, s.head_dim);
          double score = 0;
          for (std::size_t c = 0; c < s.head_dim; ++c) {
            const double q = in.query[q_at + c];
            const std::size_t at = h * s.head_dim + c;
            score += (q + double{in.u[at]}) * double{in.key[k_at + c]} + (q + double{in.v[at]}) * r[at];
          }
          scores.push_back(score / std::sqrt(static_cast<double>(s.head_dim)));
        }
      }
    }
  }
  return scores;
}

}  // namespace posenc::reference
