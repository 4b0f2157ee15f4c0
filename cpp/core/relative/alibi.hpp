#pragma once

#include <cstddef>
#include <span>

#include "core/attention/attention.hpp"
#include "core/attention/score_term.hpp"
#include "core/numeric/status.hpp"
#include "core/relative/relative_bias.hpp"

namespace posenc {

/// Which slopes the heads get where their number is no power of two.
enum class AlibiRule {
  PublishedCode,  // those of the greatest power of two below, then every other one of twice as many heads; BLOOM, MPT,
                  // Baichuan and ggml give the same list
  Geometric,      // the paper's formula for every number of heads: 2^(-bias_max (h + 1) / heads)
};

/// Which keys the bias is for.
enum class AlibiForm {
  Causal,     // -slope (query - key): a key after its query, which a causal model masks, gets a positive number
  Symmetric,  // -slope |query - key|, for models that look both ways
};

/// The slopes of attention with linear biases.
///
/// out        [heads]   dimensionless, per token
/// bias_max   > 0, finite; 8 in the paper. The last head of a power of two has slope 2^-bias_max
///
/// Errors     BadShape (no head), NotFinite, OutOfRange; out is then unchanged.
/// Accuracy   relative error at most (bias_max + 1) 2^-52; exact where the exponent is whole.
/// Source     Press et al. 2021, arXiv:2108.12409, section 3, and the code published with it.
[[nodiscard]] Status alibi_slopes(std::span<double> out, AlibiRule rule, double bias_max) noexcept;

/// The bias of attention with linear biases, to be added to scaled scores.
///
/// out         [heads, query_length, key_length]
/// slopes      [heads]   finite
/// positions   [key_length]   whole, |p| <= kMaxPosition: where each key is, as in a padded sequence that counts its
///             tokens; query i is where key query_start - key_start + i is. Empty where key j is at key_start + j
///
/// Errors      BadShape, WrongLength, NotFinite, OutOfRange (also a query that is no key where positions are given);
///             out is then unchanged.
/// Accuracy    rounded once from the product in double.
/// Source      Press et al. 2021, arXiv:2108.12409, section 3.
[[nodiscard]] Status alibi_bias(std::span<float> out, std::span<const double> slopes, std::span<const double> positions,
                                BiasShape shape, AlibiForm form) noexcept;

/// The symmetric bias of padded sequences inside attention: -slope * |query - key|. Where positions count on, a bias by
/// distance is faster, see distance_bias.hpp.
///
/// Errors      of check: WrongLength, NotFinite, OutOfRange (also a query that is no key).
/// Accuracy    slope and distance rounded to float; |error| <= 3 2^-24 |bias|.
class AlibiTerm final : public BiasTerm {
 public:
  /// slopes       [heads]   finite
  /// positions    [key_length] or [batch, key_length], as for alibi_bias
  AlibiTerm(std::span<const double> slopes, std::span<const double> positions) noexcept
      : slopes_(slopes), positions_(positions) {}

  [[nodiscard]] Status check(const AttentionShape& shape, DistanceRange distances) const noexcept override;
  void add(float* scores, const ScoreBlock& block) const noexcept override;

 private:
  std::span<const double> slopes_;
  std::span<const double> positions_;
};

}  // namespace posenc
