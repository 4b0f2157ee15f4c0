#pragma once

#include "core/attention/attention.hpp"
#include "core/attention/score_term.hpp"

namespace posenc {

/// What turns the scaled scores of a call into those that enter the softmax: softcap, biases and masks. Keys that a
/// query may not see by position are left to VisibleKeys.
class ScoreAdjustment {
 public:
  ScoreAdjustment(const AttentionInputs& inputs, const AttentionRule& rule, AttentionResult result) noexcept;

  /// Whether it changes any score.
  [[nodiscard]] bool needed() const noexcept { return softcap_ != 0.0F || masks_; }

  /// scores   [block.keys]   of a block with one query
  void apply(float* scores, const ScoreBlock& block) const noexcept;

 private:
  const AttentionInputs* inputs_;
  float softcap_;
  bool masks_;  // or adds biases
};

}  // namespace posenc
