#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/deberta.hpp"
#include "reference/rope.hpp"

namespace posenc::reference {

/// The formula with logarithms. Those of a distance on the border of two buckets are off by about 1e-17, and no other
/// distance of the tests is closer to a border than 1e-9.
inline long deberta_bucket(long delta, const DebertaRule& rule) {
  const long exact = static_cast<long>(rule.bucket_size / 2);
  const long last = static_cast<long>(rule.max_position) - 1;
  const long limited = rule.reach == DebertaReach::Limited ? std::clamp(delta, -last, last) : delta;
  const long distance = std::abs(limited);
  if (distance <= exact) return limited;
  const auto ratio = [exact](long to) { return std::log(static_cast<long double>(to) / exact); };
  const long double steps = ratio(distance) / ratio(last) * static_cast<long double>(exact - 1);
  const long size = exact + static_cast<long>(std::ceil(steps - 1e-12L));
  return limited < 0 ? -size : size;
}

/// The formula of the code in double; place(i - j) is the distance or bucket that a row stands for.
template <class Place>
std::vector<double> deberta_scores(const DebertaInputs& in, const AttentionShape& s, std::size_t span, Place place) {
  std::vector<double> scores;
  const long middle = static_cast<long>(span);
  const double terms = 1 + (in.relative_key.empty() ? 0 : 1) + (in.relative_query.empty() ? 0 : 1);
  for (std::size_t b = 0; b < s.batch; ++b) {
    for (std::size_t h = 0; h < s.heads; ++h) {
      for (std::size_t i = 0; i < s.query_length; ++i) {
        for (std::size_t j = 0; j < s.key_length; ++j) {
          const long place_of = place(static_cast<long>(i) - static_cast<long>(j));
          const auto row = static_cast<std::size_t>(std::clamp(place_of + middle, 0L, 2 * middle - 1));
          const std::size_t kv = h / (s.heads / s.kv_heads);
          const std::size_t q_at = head_offset(s.format, b, s.heads, h, s.query_length, i, s.head_dim);
          const std::size_t k_at = head_offset(s.format, b, s.kv_heads, kv, s.key_length, j, s.head_dim);
          const std::size_t r_at = (h * 2 * span + row) * s.head_dim;
          double score = 0;
          for (std::size_t c = 0; c < s.head_dim; ++c) {
            const double q = in.query[q_at + c];
            const double k = in.key[k_at + c];
            score += q * k;
            if (!in.relative_key.empty()) score += q * double{in.relative_key[r_at + c]};
            if (!in.relative_query.empty()) score += k * double{in.relative_query[r_at + c]};
          }
          scores.push_back(score / std::sqrt(static_cast<double>(s.head_dim) * terms));
        }
      }
    }
  }
  return scores;
}

}  // namespace posenc::reference
