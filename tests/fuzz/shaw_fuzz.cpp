#include "attention_shape.hpp"
#include "core/shaw.hpp"

namespace posenc::fuzz {

Seeds seeds() {
  return {{1, 1, 1, 1, 1, 1, 1}, {2, 4, 2, 9, 12, 16, 7, 1, 1, 4, 0, 0, 0, 0, 1}, {1, 2, 1, 5, 5, 3, 3, 0, 0, 2}};
}

Status run(Source source) {
  const AttentionShape shape = attention_shape(source);
  const AttentionResult result = attention_result(source);
  ShawRule rule;
  rule.clip = source.size(20);
  rule.query_start = source.position(0);
  rule.causal = source.flag();
  const Product key_table_size{2 * rule.clip + 1, shape.head_dim}, value_table_size{2 * rule.clip + 1, shape.value_dim};
  const auto query = source.numbers<float>(source.length(query_size(shape)));
  const auto key = source.numbers<float>(source.length(key_size(shape)));
  const auto value = source.numbers<float>(source.length(value_size(shape)));
  const auto key_table = source.numbers<float>(source.length(key_table_size));
  std::vector<float> value_table;
  if (!source.flag()) value_table = source.numbers<float>(source.length(value_table_size));
  const ShawInputs inputs{
      .query = query, .key = key, .value = value, .key_table = key_table, .value_table = value_table};
  Output<float> out(source.length(result_size(shape, result)));
  auto space = scratch<double>(source, shaw_scratch(shape, rule));
  const Status status = shaw_attention(out.span(), inputs, shape, rule, result, space);
  const bool fits = query_size(shape).is(query.size()) && key_size(shape).is(key.size()) &&
                    value_size(shape).is(value.size()) && key_table_size.is(key_table.size()) &&
                    (value_table.empty() || value_table_size.is(value_table.size())) &&
                    result_size(shape, result).is(out.values().size());
  require_contract(status, fits, out);
  const bool moderate = all_within(query, 1) && all_within(key, 1) && all_within(value, 1) &&
                        all_within(key_table, 1) && all_within(value_table, 1);
  if (status != Status::Ok || !moderate) return status;
  if (result == AttentionResult::Output) require(all_within(out.values(), 2.001), "outputs are means of values");
  if (result == AttentionResult::Weights) require_weights(out.values(), shape.key_length, false);
  return status;
}

}  // namespace posenc::fuzz
