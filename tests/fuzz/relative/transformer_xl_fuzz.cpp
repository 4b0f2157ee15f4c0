#include "core/relative/transformer_xl.hpp"
#include "fuzz/attention/attention_shape.hpp"

namespace posenc::fuzz {
namespace {

Status run_keys(Source& source) {
  const AttentionShape shape = attention_shape(source);
  const std::size_t dim = source.size(20);
  const Product size{shape.query_length + shape.key_length, shape.heads, shape.head_dim};
  const Product projection_size{dim, shape.heads, shape.head_dim};
  const auto projection = source.numbers<float>(source.length(projection_size));
  const auto inv_freq = source.frequencies(source.length({dim / 2 + dim % 2}));
  const double first_distance = source.position(0), clamp_length = source.position(1000);
  Output<float> out(source.length(size));
  auto space = scratch<double>(source, dim + shape.heads * shape.head_dim);
  const Status status =
      transformer_xl_keys(out.span(), projection, inv_freq, shape, dim, first_distance, clamp_length, space);
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
  const Product segment_size{2, shape.heads, shape.head_dim};
  const auto u = source.numbers<float>(source.length(bias_size));
  const auto v = source.numbers<float>(source.length(bias_size));
  const auto relative_keys = source.numbers<float>(source.length(relative_size));
  const std::int64_t first_distance = whole_position(source);
  std::vector<float> bias, table;
  std::vector<std::uint32_t> queries, keys;
  if (source.flag()) {
    const std::size_t sequences = source.flag() ? shape.batch : 1;
    bias = source.numbers<float>(source.length(bias_size));
    table = source.numbers<float>(source.length(segment_size));
    queries = source.rows(source.length({sequences, shape.query_length}), 3);
    keys = source.rows(source.length({sequences, shape.key_length}), 3);
  }
  const TransformerXlTerm term(u, v, relative_keys, first_distance,
                               {.bias = bias, .table = table, .query_segment = queries, .key_segment = keys});
  const bool fits = bias_size.is(u.size()) && bias_size.is(v.size()) && relative_size.is(relative_keys.size()) &&
                    (bias.empty() || (bias_size.is(bias.size()) && segment_size.is(table.size())));
  return attend_with(source, shape, nullptr, &term, fits);
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
