#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <span>
#include <vector>

#include "core/numeric/status.hpp"

// What the fuzzers share. One of them is a file NAME_fuzz.cpp that defines `run` and `seeds`; source.cpp hands them to
// libFuzzer.

namespace posenc::fuzz {

/// Ends the process, with a message, unless the condition holds.
void require(bool condition, const char* message) noexcept;

/// A product of sizes: as a careless program would compute it, and whether that is the true product.
class Product {
 public:
  Product(std::initializer_list<std::size_t> sizes) noexcept {
    for (const std::size_t size : sizes) fits_ &= !__builtin_mul_overflow(wrapped_, size, &wrapped_);
    fits_ |= std::ranges::find(sizes, 0u) != sizes.end();
  }

  [[nodiscard]] std::size_t wrapped() const noexcept { return wrapped_; }
  [[nodiscard]] bool is(std::size_t size) const noexcept { return fits_ && wrapped_ == size; }

 private:
  std::size_t wrapped_ = 1;
  bool fits_ = true;
};

/// Takes arguments from the bytes of an input. Bytes past the end are zeros, and zero is the plain choice everywhere: a
/// seed names the sizes of a call and leaves the rest.
class Source {
 public:
  explicit Source(std::span<const std::uint8_t> bytes) noexcept : bytes_(bytes) {}

  [[nodiscard]] std::uint8_t byte() noexcept {
    if (bytes_.empty()) return 0;
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }
  [[nodiscard]] bool flag() noexcept { return byte() % 2 != 0; }

  /// One of some choices, by its number.
  template <class Choice>
  [[nodiscard]] Choice one_of(std::initializer_list<Choice> choices) noexcept {
    return choices.begin()[byte() % choices.size()];
  }

  /// 1 ... most, by its value; or from kHostile on 0, or a size whose products wrap around 32 or 64 bits.
  [[nodiscard]] std::size_t size(std::size_t most) noexcept;

  /// How many elements a span gets that should have as many as a product says: that many, or from kHostile on one more,
  /// one less, none, half or twice as many.
  [[nodiscard]] std::size_t length(const Product& product) noexcept;

  /// `plain`, or from kHostile on a number of any kind: infinite, NaN, huge, tiny, or eight bytes of the input.
  [[nodiscard]] double number(double plain) noexcept;

  /// `plain` plus or minus a few, or a number of any kind.
  [[nodiscard]] double position(double plain) noexcept;

  /// Elements between -1 and 1, of which some may be numbers of any kind.
  template <class Number>
  [[nodiscard]] std::vector<Number> numbers(std::size_t length) {
    return fill<Number>(length, [this](std::size_t i) { return uniform(i); });
  }
  /// Consecutive whole numbers, or whole numbers up to 2^31 in any order, of which some may be numbers of any kind.
  [[nodiscard]] std::vector<double> positions(std::size_t length);
  /// Falling powers, of which some may be numbers of any kind.
  [[nodiscard]] std::vector<double> frequencies(std::size_t length);
  /// Zeros and ones.
  [[nodiscard]] std::vector<std::uint8_t> bits(std::size_t length);
  /// 0 ... below - 1, of which one may be too large.
  [[nodiscard]] std::vector<std::uint32_t> rows(std::size_t length, std::size_t below);

 private:
  static constexpr std::uint8_t kHostile = 224;

  [[nodiscard]] static std::uint64_t hash(std::uint64_t x) noexcept;
  [[nodiscard]] double any_number() noexcept;
  /// Between -1 and 1, by the seed at hand and an index.
  [[nodiscard]] double uniform(std::size_t i) const noexcept {
    return static_cast<double>(hash(seed_ << 32 | i) >> 11) * 0x1p-52 - 1;
  }

  template <class Number, class ValueAt>
  [[nodiscard]] std::vector<Number> fill(std::size_t length, ValueAt value_at) {
    seed_ = byte();
    std::vector<Number> values(length);
    for (std::size_t i = 0; i < length; ++i) values[i] = static_cast<Number>(value_at(i));
    if (seed_ < kHostile || length == 0) return values;
    for (std::size_t spoilt = byte() % 4 + 1; spoilt > 0; --spoilt) {
      values[byte() % length] = static_cast<Number>(any_number());
    }
    return values;
  }

  std::span<const std::uint8_t> bytes_;
  std::uint64_t seed_ = 0;
};

/// An output of the core, allocated to the byte, and what it held before the call.
template <class Number>
class Output {
 public:
  explicit Output(std::vector<Number> values) : values_(std::move(values)), before_(values_) {}
  explicit Output(std::size_t length) : Output(std::vector<Number>(length, static_cast<Number>(-7))) {}

  [[nodiscard]] std::span<Number> span() noexcept { return values_; }
  [[nodiscard]] const std::vector<Number>& values() const noexcept { return values_; }
  [[nodiscard]] const std::vector<Number>& before() const noexcept { return before_; }

  void require_unchanged() const noexcept {
    const bool same =
        values_.empty() || std::memcmp(values_.data(), before_.data(), sizeof(Number) * before_.size()) == 0;
    require(same, "a call that reports an error leaves its outputs as they were");
  }

 private:
  std::vector<Number> values_;
  std::vector<Number> before_;
};

/// What holds for every call: it succeeds only if the sizes fit, and otherwise changes nothing.
template <class... Number>
void require_contract(Status status, bool sizes_fit, const Output<Number>&... outputs) noexcept {
  require(status != Status::Ok || sizes_fit, "a call whose sizes do not fit its spans reports it");
  if (status != Status::Ok) (outputs.require_unchanged(), ...);
}

/// Whether all are numbers of at most this size.
template <class Number>
[[nodiscard]] bool all_within(const std::vector<Number>& values, double bound) noexcept {
  return std::ranges::all_of(values, [bound](Number x) { return std::abs(x) <= bound; });
}

/// Calls the core once with arguments from an input, and requires what its header promises.
Status run(Source source);

/// Inputs of typical calls, which succeed.
using Seeds = std::vector<std::vector<std::uint8_t>>;
Seeds seeds();

}  // namespace posenc::fuzz
