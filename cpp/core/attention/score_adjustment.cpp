#include "core/attention/score_adjustment.hpp"

#include <cstddef>
#include <cstdint>

#include "core/numeric/simd.hpp"

namespace posenc {
namespace {

void forbid(float* scores, const std::uint8_t* allowed, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) scores[i] = allowed[i] != 0 ? scores[i] : kForbidden;
}

}  // namespace

ScoreAdjustment::ScoreAdjustment(const AttentionInputs& inputs, const AttentionRule& rule,
                                 AttentionResult result) noexcept
    : inputs_(&inputs),
      softcap_(result == AttentionResult::Scaled ? 0.0F : rule.softcap),
      masks_(is_masked(result) &&
             (!inputs.bias.empty() || inputs.bias_term != nullptr || !inputs.additive_mask.empty() ||
              !inputs.mask.empty() || !inputs.key_valid.empty())) {}

[[gnu::noinline]] void ScoreAdjustment::apply(float* scores, const ScoreBlock& block) const noexcept {
  const std::size_t n = block.keys;
  if (softcap_ != 0.0F) {
    const Vec cap(softcap_);
    const Vec per_cap(1.0F / softcap_);
    map_each(scores, scores, n, [=](Vec s, auto...) { return cap * tanh(s * per_cap); });
  }
  if (!masks_) return;
  const AttentionShape& shape = *block.shape;
  if (!inputs_->bias.empty()) {
    const std::size_t row = block.head * shape.query_length + block.first_query;
    const float* bias = inputs_->bias.data() + row * shape.key_length + block.first_key;
    map_each(scores, scores, n, [=](Vec s, std::size_t i, auto lanes) { return s + lanes.load(bias + i); });
  }
  if (inputs_->bias_term != nullptr) inputs_->bias_term->add(scores, block);
  const MaskShape masks = inputs_->mask_shape;
  const std::size_t mask = (masks.batches == 1 ? 0 : block.batch) * masks.heads + (masks.heads == 1 ? 0 : block.head);
  const std::size_t mask_row = mask * masks.queries + (masks.queries == 1 ? 0 : block.first_query);
  const std::size_t masked = mask_row * masks.keys + block.first_key;
  if (!inputs_->additive_mask.empty()) {
    const float* added = inputs_->additive_mask.data() + masked;
    const Vec forbidden(kForbidden);
    map_each(scores, scores, n, [=](Vec s, std::size_t i, auto lanes) {
      const Vec m = lanes.load(added + i);
      return select(m == forbidden, forbidden, s + m);
    });
  }
  if (!inputs_->mask.empty()) forbid(scores, inputs_->mask.data() + masked, n);
  if (!inputs_->key_valid.empty()) {
    const bool shared = inputs_->key_valid.size() == shape.key_length;
    const std::size_t valid_row = shared ? 0 : block.batch * shape.key_length;
    forbid(scores, inputs_->key_valid.data() + valid_row + block.first_key, n);
  }
}

}  // namespace posenc
