#pragma once

#include <cstddef>
#include <span>

#include "core/numeric/status.hpp"

namespace posenc {

/// The largest |distance| that the kernel takes: 2^53, beyond which doubles skip whole numbers.
inline constexpr double kMaxDistance = 9007199254740992.0;

/// K(distance) = mean over pairs of cos(distance * inv_freq): the cosine similarity of two sinusoidal encodings, and
/// the score of two equal rotated vectors of ones, divided by their width.
///
/// out        [distances.size()]
/// distances  whole numbers, |distance| <= kMaxDistance
///
/// Errors     WrongLength, BadShape (no frequency), OutOfRange, NotFinite; out is then unchanged.
/// Accuracy   |error| <= 2^-51; the phase is reduced exactly at every distance.
/// Source     Su et al. 2021, arXiv:2104.09864, section 3.4.3, for q = k = 1.
[[nodiscard]] Status distance_kernel(std::span<double> out, std::span<const double> inv_freq,
                                     std::span<const double> distances) noexcept;

/// B(distance) = mean over j = 1 ... pairs of |S_j|, S_j = sum over p < j of exp(i distance inv_freq_p): an upper bound
/// on how much of a rotary score can be left, up to a factor that depends on the vectors. It trends down; it is not
/// monotone.
///
/// Errors     as distance_kernel.
/// Accuracy   relative error <= pairs 2^-51.
/// Source     Su et al. 2021, arXiv:2104.09864, section 3.4.3.
[[nodiscard]] Status decay_bound(std::span<double> out, std::span<const double> inv_freq,
                                 std::span<const double> distances) noexcept;

/// The least and greatest K over the whole distances of consecutive ranges [edges[i], edges[i + 1]).
///
/// minimum, maximum, argmax   [edges.size() - 1]   argmax: the first distance where K is greatest
/// edges                      at least two; whole, strictly rising, from 0 to kMaxDistance
/// scratch                    kernel_scratch(inv_freq.size()) doubles
///
/// Errors     WrongLength, BadShape, OutOfRange, NotFinite; the results are then unchanged.
/// Accuracy   |error| <= (pairs + 16) 2^-53 for K; every whole distance is evaluated, none is sampled.
[[nodiscard]] Status kernel_envelope(std::span<double> minimum, std::span<double> maximum, std::span<double> argmax,
                                     std::span<const double> inv_freq, std::span<const double> edges,
                                     std::span<double> scratch) noexcept;

/// Finds the whole distances in [from, to] where K has a local maximum, K(n - 1) <= K(n) > K(n + 1), above a level.
/// The neighbours count even where they lie outside of the range.
///
/// distance, similarity   room for the strongest peaks, strongest first, then nearest; both the same length
/// found                  how many were written
/// from, to               whole, 0 <= from <= to < kMaxDistance
/// scratch                kernel_scratch(inv_freq.size()) doubles
///
/// Errors     WrongLength, BadShape, OutOfRange, NotFinite (a frequency or the level); nothing is then written.
/// Accuracy   similarity as distance_kernel; every whole distance is evaluated, none is sampled.
[[nodiscard]] Status find_aliases(std::span<double> distance, std::span<double> similarity, std::size_t& found,
                                  std::span<const double> inv_freq, double from, double to, double above,
                                  std::span<double> scratch) noexcept;

/// How many doubles the searches need as scratch for a number of frequencies, or kTooLarge.
[[nodiscard]] std::size_t kernel_scratch(std::size_t pairs) noexcept;

}  // namespace posenc
