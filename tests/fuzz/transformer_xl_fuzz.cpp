#include "attention_shape.hpp"
#include "core/transformer_xl.hpp"

namespace posenc::fuzz {
namespace {

Status run_keys(Source& source) {
  const AttentionShape shape = attention_shape(source);
  const std::size_t dim = source.size(20);
  const Product size{shape.query_length + shape.key_length, shape.heads, shape.head_dim};
  const Product projection_size{dim, shape.heads, shape.head_dim};
  const auto projection = source.numbers<float>(source.length(projection_size));
  const auto inv_freq = source.frequencies(source.length({dim / 2 + dim % 2}));
  const double memory_length = source.position(0), clamp_length = source.position(1000);
  Output<float> out(source.length(size));
  auto space = scratch<double>(source, dim + shape.heads * shape.head_dim);
  const Status status =
      transformer_xl_keys(out.span(), projection, inv_freq, shape, dim, memory_length, clamp_length, space);
  require_contract(status, projection_size.is(projection.size()) && size.is(out.values().size()), out);
  if (status == Status::Ok && all_within(projection, 1)) {
    require(all_within(out.values(), static_cast<double>(dim)), "a key is a sum of dim products");
  }
  return status;
}

Status run_scores(Source& source) {
  const AttentionShape shape = attention_shape(source);
  const Product bias_size{shape.heads, shape.head_dim};
  const Product relative_size{shape.query_length + shape.key_length, shape.heads, shape.head_dim};
  const auto query = source.numbers<float>(source.length(query_size(shape)));
  const auto key = source.numbers<float>(source.length(key_size(shape)));
  const auto u = source.numbers<float>(source.length(bias_size));
  const auto v = source.numbers<float>(source.length(bias_size));
  const auto relative_keys = source.numbers<float>(source.length(relative_size));
  const TransformerXlInputs inputs{.query = query, .key = key, .u = u, .v = v, .relative_keys = relative_keys};
  TransformerXlRule rule;
  rule.memory_length = source.position(0);
  rule.causal = source.flag();
  Output<float> out(source.length(score_size(shape)));
  auto space = scratch<float>(source, 2 * shape.head_dim);
  const Status status = transformer_xl_scores(out.span(), inputs, shape, rule, space);
  const bool fits = query_size(shape).is(query.size()) && key_size(shape).is(key.size()) && bias_size.is(u.size()) &&
                    bias_size.is(v.size()) && relative_size.is(relative_keys.size()) &&
                    score_size(shape).is(out.values().size());
  require_contract(status, fits, out);
  const bool moderate = all_within(query, 1) && all_within(key, 1) && all_within(u, 1) && all_within(v, 1) &&
                        all_within(relative_keys, 1);
  if (status != Status::Ok || !moderate) return status;
  for (std::size_t n = 0; n < out.values().size(); ++n) {
    const auto key_index = static_cast<double>(n % shape.key_length);
    const auto query_index = static_cast<double>(n / shape.key_length % shape.query_length);
    const bool masked = rule.causal && key_index > rule.memory_length + query_index;
    require(std::isfinite(out.values()[n]) != masked, "a score is -infinity exactly where the rule masks it");
  }
  return status;
}

}  // namespace

Seeds seeds() {
  return {{0, 1, 1, 1, 1, 1, 1, 1, 0, 1},
          {0, 1, 2, 2, 8, 12, 5, 1, 0, 9, 0, 0, 0, 0, 4},
          {1, 1, 1, 1, 1, 1, 1, 1},
          {1, 2, 4, 2, 7, 12, 10, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 1}};
}

Status run(Source source) { return source.flag() ? run_scores(source) : run_keys(source); }

}  // namespace posenc::fuzz
