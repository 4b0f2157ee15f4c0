#include "core/relative/shaw.hpp"
#include "fuzz/attention/attention_shape.hpp"

namespace posenc::fuzz {

Seeds seeds() {
  return {{1, 1, 1, 1, 1, 1, 1}, {2, 4, 2, 9, 12, 16, 7, 1, 1, 4, 0, 0, 0, 0, 1}, {1, 2, 1, 5, 5, 3, 3, 0, 0, 2}};
}

Status run(Source source) {
  const AttentionShape shape = attention_shape(source);
  const std::size_t clip = source.size(20);
  const Product key_table_size{2 * clip + 1, shape.head_dim}, value_table_size{2 * clip + 1, shape.value_dim};
  const auto key_table = source.numbers<float>(source.length(key_table_size));
  std::vector<float> value_table;
  if (!source.flag()) value_table = source.numbers<float>(source.length(value_table_size));
  const ShawTerm term(key_table, value_table, clip);
  const bool fits =
      key_table_size.is(key_table.size()) && (value_table.empty() || value_table_size.is(value_table.size()));
  return attend_with(source, shape, nullptr, &term, fits);
}

}  // namespace posenc::fuzz
