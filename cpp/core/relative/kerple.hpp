#pragma once

#include <cstddef>
#include <span>

#include "core/numeric/status.hpp"
#include "core/relative/relative_bias.hpp"

namespace posenc {

/// How the bias falls with the distance d.
enum class KerpleKind {
  Log,    // -p ln(1 + a d)
  Power,  // -a d^p
};

/// The bias of KERPLE: a kernel of the distance |query - key| with two learned numbers per head, to be added to scaled
/// scores.
///
/// out     [heads, query_length, key_length]
/// a, p    [heads]   above 0 and finite; p of Power at most 2, where the kernel is still conditionally positive
/// definite
///
/// Errors     BadShape, WrongLength, NotFinite, OutOfRange; out is then unchanged.
/// Accuracy   0.51 ulp: evaluated in double, rounded once.
/// Source     Chi et al. 2022, arXiv:2205.09921.
[[nodiscard]] Status kerple_bias(std::span<float> out, std::span<const float> a, std::span<const float> p,
                                 BiasShape shape, KerpleKind kind) noexcept;

}  // namespace posenc
