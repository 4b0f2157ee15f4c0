#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/attention/attention.hpp"
#include "core/attention/score_term.hpp"
#include "core/numeric/status.hpp"

namespace posenc {

/// The segment term of XLNet: query_i meets one of two vectors, by whether key_j is in its segment. Empty without it.
struct XlnetSegments {
  std::span<const float> bias = {};                   // [heads, head_dim]: added to the query
  std::span<const float> table = {};                  // [2, heads, head_dim]: the same segment, another one
  std::span<const std::uint32_t> query_segment = {};  // [query_length] or [batch, query_length]
  std::span<const std::uint32_t> key_segment = {};    // [key_length] or [batch, key_length]
};

/// The scores of Transformer-XL and of the content stream of XLNet: scale times
/// (query_i + u) . key_j + (query_i + v) . relative_key(i - j), and (query_i + bias) . table[segments differ] with
/// segments.
///
/// Errors     of check: BadShape, WrongLength, OutOfRange (|first_distance| > 2 kMaxPosition).
/// Accuracy   that of attention.
/// Source     Dai et al. 2019, arXiv:1901.02860, section 3.3; Yang et al. 2019, arXiv:1906.08237, section 2.4 (XLNet).
class TransformerXlTerm final : public RelativeTerm {
 public:
  /// u, v            [heads, head_dim]: added to the query that meets a key, and a relative key
  /// relative_keys   [query_length + key_length, heads, head_dim]: row r stands for the distance
  ///                 first_distance + query_length - r; those further away, which no query may see, read the first or
  ///                 last row
  /// first_distance  of the first query from the first key: the memory in front of the queries
  TransformerXlTerm(std::span<const float> u, std::span<const float> v, std::span<const float> relative_keys,
                    std::int64_t first_distance, XlnetSegments segments = {}) noexcept
      : u_(u), v_(v), relative_keys_(relative_keys), first_distance_(first_distance), segments_(segments) {}

  [[nodiscard]] Status check(const AttentionShape& shape, DistanceRange distances) const noexcept override;
  [[nodiscard]] const float* query_offset(std::size_t head, const AttentionShape& shape) const noexcept override;
  void add(Rows scores, const ScoreBlock& block, const ScoreOperands& operands) const noexcept override;

 private:
  void add_segments(Rows scores, const ScoreBlock& block, const ScoreOperands& operands) const noexcept;

  std::span<const float> u_;
  std::span<const float> v_;
  std::span<const float> relative_keys_;
  std::int64_t first_distance_;
  XlnetSegments segments_;
};

/// The relative keys of a model that projects sinusoids of the distance: row r is sinusoid(t) . projection for the
/// distance t = first_distance + query_length - r. A sinusoid is all sines, then all cosines, of t * inv_freq.
///
/// out            [query_length + key_length, heads, head_dim]
/// projection     [dim, heads, head_dim]
/// inv_freq       [ceil(dim / 2)]   radians per token; an odd dim ends in one cosine less
/// first_distance   of the first query from the first key, the memory in front of the queries: whole, at most
///                  kMaxPosition on either side
/// clamp_length   whole, >= 1: distances beyond it, on either side, are taken as it; infinity is no limit
/// scratch        at least dim + heads head_dim doubles
///
/// Errors     BadShape, WrongLength, NotFinite (inv_freq), OutOfRange; out is then unchanged.
/// Accuracy   sinusoids and sums in double, each result rounded once.
/// Source     Dai et al. 2019, arXiv:1901.02860, section 3.3.
[[nodiscard]] Status transformer_xl_keys(std::span<float> out, std::span<const float> projection,
                                         std::span<const double> inv_freq, const AttentionShape& shape, std::size_t dim,
                                         double first_distance, double clamp_length,
                                         std::span<double> scratch) noexcept;

}  // namespace posenc
