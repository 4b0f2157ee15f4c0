#pragma once

#include <span>

#include "core/attention/attention.hpp"
#include "core/numeric/status.hpp"

namespace posenc {

/// Whether attention can run at all: no size is 0, the heads share keys evenly, and the keys fit into their memory.
[[nodiscard]] bool usable(const AttentionShape& shape) noexcept;

/// What attention refuses: see there. The scratch space, whose size follows from the shape, is left to the caller.
[[nodiscard]] Status check_attention(std::span<float> out, const AttentionInputs& inputs, const AttentionRope& rope,
                                     const AttentionShape& shape, const AttentionRule& rule,
                                     AttentionResult result) noexcept;

}  // namespace posenc
