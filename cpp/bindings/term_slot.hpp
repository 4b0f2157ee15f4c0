#pragma once

#include <cstddef>
#include <new>

#include "core/attention/score_term.hpp"

namespace posenc::bindings {

/// Room for what an encoding adds to the scores of a call of attention. A term holds spans only, so nothing is freed.
template <class Term>
class TermSlot {
 public:
  template <class Derived, class... Arguments>
  void set(const Arguments&... arguments) {
    static_assert(sizeof(Derived) <= kSize);
    term_ = new (room_) Derived(arguments...);
  }
  /// Null before `set`.
  [[nodiscard]] const Term* get() const { return term_; }

 private:
  static constexpr std::size_t kSize = 128;

  alignas(std::max_align_t) std::byte room_[kSize];
  const Term* term_ = nullptr;
};

using BiasSlot = TermSlot<BiasTerm>;
using RelativeSlot = TermSlot<RelativeTerm>;

}  // namespace posenc::bindings
