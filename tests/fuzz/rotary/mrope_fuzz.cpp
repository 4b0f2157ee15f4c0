#include "core/rotary/mrope.hpp"
#include "fuzz/source.hpp"

namespace posenc::fuzz {

Seeds seeds() { return {{1, 1, 1, 1}, {2, 3, 3, 60}, {16, 24, 24, 9, 0, 1, 0, 1}}; }

Status run(Source source) {
  const MropeSections sections{source.size(30), source.size(30), source.size(30)};
  const std::size_t length = source.size(60);
  const auto inv_freq = source.frequencies(source.length({sections[0] + sections[1] + sections[2]}));
  const auto positions = source.positions(source.length({3, length}));
  const auto order = source.one_of({MropeOrder::Chunked, MropeOrder::Interleaved});
  const double attention_factor = source.number(1);
  const Product size{positions.size() / 3, inv_freq.size()};
  Output<float> cos(source.length(size)), sin(source.length(size));
  const Status status = mrope_table(cos.span(), sin.span(), inv_freq, positions, sections, order, attention_factor);
  const bool covered = std::ranges::max(sections) <= inv_freq.size();
  const bool fits =
      covered && positions.size() % 3 == 0 && size.is(cos.values().size()) && size.is(sin.values().size());
  require_contract(status, fits, cos, sin);
  if (status == Status::Ok && attention_factor == 1) {
    require(all_within(cos.values(), 1) && all_within(sin.values(), 1), "cosines and sines are from -1 to 1");
  }
  return status;
}

}  // namespace posenc::fuzz
