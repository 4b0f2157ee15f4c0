#include "core/relative/fire.hpp"
#include "fuzz/attention/attention_shape.hpp"
#include "fuzz/relative/bias.hpp"

namespace posenc::fuzz {

Seeds seeds() {
  return {{0, 1, 1, 1, 0, 0, 1}, {0, 3, 8, 17, 0, 0, 32}, {0, 4, 20, 40, 5, 2, 40}, {1, 1, 1, 1, 1, 9, 4, 4, 0, 8}};
}

namespace {

Status run_bias(Source& source) {
  const BiasShape shape = bias_shape(source);
  const std::size_t width = source.size(70);
  const auto w1 = source.numbers<float>(source.length({width}));
  const auto b1 = source.numbers<float>(source.length({width}));
  const auto w2 = source.numbers<float>(source.length({shape.heads, width}));
  const auto b2 = source.numbers<float>(source.length({shape.heads}));
  const FireScale scale{.c = source.number(0.1), .threshold = source.position(10), .epsilon = source.number(1e-6)};
  Output<float> out(source.length(bias_size(shape)));
  const Status status = fire_bias(out.span(), {.w1 = w1, .b1 = b1, .w2 = w2, .b2 = b2}, scale, shape);
  const bool fits = bias_size(shape).is(out.values().size()) && w1.size() == b1.size() &&
                    Product({shape.heads, w1.size()}).is(w2.size()) && b2.size() == shape.heads;
  require_contract(status, fits, out);
  const bool moderate = all_within(w1, 1) && all_within(b1, 1) && all_within(w2, 1) && all_within(b2, 1);
  if (status == Status::Ok && moderate) {
    const bool finite = std::ranges::all_of(out.values(), [](float bias) { return std::isfinite(bias); });
    require(finite, "a moderate network gives finite biases");
  }
  return status;
}

Status run_term(Source& source) {
  const AttentionShape shape = attention_shape(source);
  const std::size_t width = source.size(70);
  const auto w1 = source.numbers<float>(source.length({width}));
  const auto b1 = source.numbers<float>(source.length({width}));
  const auto w2 = source.numbers<float>(source.length({shape.heads, width}));
  const auto b2 = source.numbers<float>(source.length({shape.heads}));
  const FireScale scale{.c = source.number(0.1), .threshold = source.position(10), .epsilon = source.number(1e-6)};
  std::vector<float> numerators(source.length({shape.query_length + shape.key_length - 1}));
  const std::int64_t first = whole_position(source);
  const bool filled = fire_numerators(numerators, scale, static_cast<double>(first)) == Status::Ok;
  const FireTerm term({.w1 = w1, .b1 = b1, .w2 = w2, .b2 = b2}, scale, numerators, first);
  return attend_with(source, shape, &term, nullptr, filled);
}

}  // namespace

Status run(Source source) { return source.flag() ? run_term(source) : run_bias(source); }

}  // namespace posenc::fuzz
