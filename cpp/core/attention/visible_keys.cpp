#include "core/attention/visible_keys.hpp"

#include <algorithm>

namespace posenc {

std::int64_t first_place(const AttentionShape& shape, const AttentionRule& rule, std::size_t keys) noexcept {
  return rule.query_start.has_value() ? *rule.query_start - rule.key_start
                                      : static_cast<std::int64_t>(keys) - static_cast<std::int64_t>(shape.query_length);
}

VisibleKeys::VisibleKeys(const AttentionInputs& inputs, const AttentionShape& shape, const AttentionRule& rule,
                         AttentionResult result, std::size_t batch) noexcept
    : rule_(&rule), all_(!is_masked(result)) {
  const std::size_t keys = inputs.key_lengths.empty() ? shape.key_length : inputs.key_lengths[batch];
  first_place_ = first_place(shape, rule, keys);
  const bool has_mask = !inputs.mask.empty() || !inputs.additive_mask.empty();
  keys_ = all_ ? shape.key_length : has_mask ? std::min(keys, inputs.mask_shape.keys) : keys;
}

KeyRange VisibleKeys::of(std::size_t query) const noexcept {
  if (all_) return {0, keys_};
  static constexpr std::uint64_t kWide = std::uint64_t{1} << 62;  // wider than any tensor, and safe to add to a place
  const auto side = [](std::size_t w) { return static_cast<std::int64_t>(std::min<std::uint64_t>(w, kWide)); };
  const auto keys = static_cast<std::int64_t>(keys_);
  const std::int64_t at = place(query);
  std::int64_t first = 0;
  std::int64_t last = keys;
  if (rule_->window_left != kUnbounded) first = at - side(rule_->window_left);
  if (rule_->window_right != kUnbounded) last = at + side(rule_->window_right) + 1;
  if (rule_->causal) last = std::min(last, at + 1);
  first = std::clamp<std::int64_t>(first, 0, keys);
  last = std::clamp<std::int64_t>(last, first, keys);
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(last)};
}

}  // namespace posenc
