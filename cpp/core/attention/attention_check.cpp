#include "core/attention/attention_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>

#include "core/attention/visible_keys.hpp"
#include "core/numeric/angle_table.hpp"
#include "core/numeric/shape.hpp"

namespace posenc {
namespace {

/// BadShape if a size overflows, WrongLength if `size` is none of `allowed`.
[[nodiscard]] Status check_length(std::size_t size, std::initializer_list<std::size_t> allowed) noexcept {
  if (std::ranges::find(allowed, kTooLarge) != allowed.end()) return Status::BadShape;
  return std::ranges::find(allowed, size) != allowed.end() ? Status::Ok : Status::WrongLength;
}

[[nodiscard]] Status first_error(std::initializer_list<Status> checks) noexcept {
  const auto* error = std::ranges::find_if(checks, [](Status status) { return status != Status::Ok; });
  return error == checks.end() ? Status::Ok : *error;
}

[[nodiscard]] Status check_terms(const AttentionInputs& in, const AttentionShape& s,
                                 const AttentionRule& rule) noexcept {
  if (in.bias_term == nullptr && in.relative_term == nullptr) return Status::Ok;
  std::size_t fewest = s.key_length, most = s.key_length;  // keys of a sequence
  if (!in.key_lengths.empty()) {
    const auto [least, greatest] = std::ranges::minmax(in.key_lengths);
    fewest = least, most = greatest;
  }
  const DistanceRange distances{first_place(s, rule, fewest) - static_cast<std::int64_t>(s.key_length - 1),
                                first_place(s, rule, most) + static_cast<std::int64_t>(s.query_length - 1)};
  const auto check = [&](const ScoreTerm* term) { return term == nullptr ? Status::Ok : term->check(s, distances); };
  return first_error({check(in.bias_term), check(in.relative_term)});
}

[[nodiscard]] Status check_tensors(std::span<float> out, const AttentionInputs& in, const AttentionShape& s,
                                   AttentionResult result) noexcept {
  const std::size_t matrix = product({s.heads, s.query_length, s.key_length});
  const MaskShape m = in.mask_shape;
  const std::size_t masks = product({m.batches, m.heads, m.queries, m.keys});
  const bool is_output = result == AttentionResult::Output;
  return first_error({
      check_length(in.query.size(), {product({s.batch, s.query_length, s.heads, s.head_dim})}),
      check_length(in.key.size(), {product({s.batch, key_capacity(s), s.kv_heads, s.head_dim})}),
      in.value.empty() && !is_output
          ? Status::Ok
          : check_length(in.value.size(), {product({s.batch, key_capacity(s), s.kv_heads, s.value_dim})}),
      check_length(out.size(),
                   {is_output ? product({s.batch, s.query_length, s.heads, s.value_dim}) : product({s.batch, matrix})}),
      in.bias.empty() ? Status::Ok : check_length(in.bias.size(), {matrix}),
      in.additive_mask.empty() ? Status::Ok : check_length(in.additive_mask.size(), {masks}),
      in.mask.empty() ? Status::Ok : check_length(in.mask.size(), {masks}),
      in.key_valid.empty() ? Status::Ok
                           : check_length(in.key_valid.size(), {s.key_length, product({s.batch, s.key_length})}),
      in.key_lengths.empty() ? Status::Ok : check_length(in.key_lengths.size(), {s.batch}),
      in.sinks.empty() ? Status::Ok : check_length(in.sinks.size(), {s.heads}),
  });
}

/// BadShape unless each size is 1 or full, and the last at most full.
[[nodiscard]] Status check_mask_shape(const AttentionInputs& in, const AttentionShape& s) noexcept {
  if (in.mask.empty() && in.additive_mask.empty()) return Status::Ok;
  const auto spreads = [](std::size_t size, std::size_t full) { return size == 1 || size == full; };
  const MaskShape m = in.mask_shape;
  const bool fits = spreads(m.batches, s.batch) && spreads(m.heads, s.heads) && spreads(m.queries, s.query_length) &&
                    m.keys >= 1 && m.keys <= s.key_length;
  return fits ? Status::Ok : Status::BadShape;
}

[[nodiscard]] Status check_table(std::span<const float> cos, std::span<const float> sin, std::size_t batch,
                                 std::size_t length, std::size_t pairs) noexcept {
  if (cos.empty() && sin.empty()) return Status::Ok;
  const std::size_t rows = product({length, pairs});
  if (cos.size() != sin.size()) return Status::WrongLength;
  return check_length(cos.size(), {rows, product({batch, rows})});
}

[[nodiscard]] Status check_rope(const AttentionRope& rope, const AttentionShape& s) noexcept {
  if (rope.query_cos.empty() && rope.query_sin.empty() && rope.key_cos.empty() && rope.key_sin.empty()) {
    return Status::Ok;
  }
  if (rope.rotary_dim % 2 != 0) return Status::OddDimension;
  if (rope.rotary_dim == 0 || rope.rotary_dim > s.head_dim) return Status::BadShape;
  const std::size_t pairs = rope.rotary_dim / 2;
  return first_error({check_table(rope.query_cos, rope.query_sin, s.batch, s.query_length, pairs),
                      check_table(rope.key_cos, rope.key_sin, s.batch, s.key_length, pairs)});
}

[[nodiscard]] Status check_numbers(const AttentionInputs& in, const AttentionShape& shape,
                                   const AttentionRule& rule) noexcept {
  if (!std::isfinite(rule.scale) || !std::isfinite(rule.softcap)) return Status::NotFinite;
  if (rule.softcap < 0) return Status::OutOfRange;
  if (std::ranges::any_of(in.key_lengths, [&](std::uint32_t keys) { return keys > shape.key_length; })) {
    return Status::OutOfRange;
  }
  const auto is_position = [](std::int64_t p) { return std::abs(static_cast<double>(p)) <= kMaxPosition; };
  return is_position(rule.query_start.value_or(0)) && is_position(rule.key_start) ? Status::Ok : Status::OutOfRange;
}

}  // namespace

bool usable(const AttentionShape& s) noexcept {
  const std::array sizes{s.batch, s.heads, s.kv_heads, s.query_length, s.key_length, s.head_dim, s.value_dim};
  return std::ranges::find(sizes, 0u) == sizes.end() && s.heads % s.kv_heads == 0 && key_capacity(s) >= s.key_length;
}

Status check_attention(std::span<float> out, const AttentionInputs& inputs, const AttentionRope& rope,
                       const AttentionShape& shape, const AttentionRule& rule, AttentionResult result) noexcept {
  if (!usable(shape)) return Status::BadShape;
  const Status status = first_error({check_mask_shape(inputs, shape), check_tensors(out, inputs, shape, result),
                                     check_rope(rope, shape), check_numbers(inputs, shape, rule)});
  return status != Status::Ok ? status : check_terms(inputs, shape, rule);
}

}  // namespace posenc
