#include "core/relative/kerple.hpp"
#include "fuzz/relative/bias.hpp"

namespace posenc::fuzz {

Seeds seeds() { return {{1, 1, 1}, {3, 8, 17}, {3, 8, 17, 5, 2, 1}}; }

Status run(Source source) {
  const BiasShape shape = bias_shape(source);
  const auto kind = source.one_of({KerpleKind::Log, KerpleKind::Power});
  const auto positive = [&] {
    auto values = source.numbers<float>(source.length({shape.heads}));
    for (float& value : values) value += 1;
    return values;
  };
  const std::vector<float> a = positive(), p = positive();
  Output<float> out(source.length(bias_size(shape)));
  const Status status = kerple_bias(out.span(), a, p, shape, kind);
  const bool fits = bias_size(shape).is(out.values().size()) && a.size() == shape.heads && p.size() == shape.heads;
  require_contract(status, fits, out);
  if (status == Status::Ok) {
    const bool none_above = std::ranges::all_of(out.values(), [](float bias) { return bias <= 0; });
    require(none_above, "a kernel of the distance only lowers scores");
  }
  return status;
}

}  // namespace posenc::fuzz
