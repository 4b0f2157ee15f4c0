#include "core/relative/deberta.hpp"
#include "fuzz/attention/attention_shape.hpp"

namespace posenc::fuzz {
namespace {

DebertaRule deberta_rule(Source& source) noexcept {
  DebertaRule rule;
  rule.bucket_size = source.size(200);
  const std::size_t step = source.flag() ? 300 : 1;
  rule.max_position = step * source.size(200);
  rule.reach = source.one_of({DebertaReach::Limited, DebertaReach::Open});
  return rule;
}

Status run_buckets(Source& source) {
  const DebertaRule rule = deberta_rule(source);
  const auto delta = source.positions(source.length({source.size(100)}));
  Output<std::int32_t> out(source.length({delta.size()}));
  const Status status = deberta_buckets(out.span(), delta, rule);
  require_contract(status, out.values().size() == delta.size(), out);
  if (status != Status::Ok) return status;
  for (std::size_t i = 0; i < delta.size(); ++i) {
    const double bucket = out.values()[i];
    require(bucket * delta[i] >= 0, "a bucket is on the side of its distance");
    const bool open = rule.reach == DebertaReach::Open;
    require(open || std::abs(bucket) < static_cast<double>(rule.bucket_size), "a bucket is one of the rule's");
  }
  return status;
}

Status run_scores(Source& source) {
  const AttentionShape shape = attention_shape(source);
  const std::size_t span = source.size(20);
  const Product table_size{shape.heads, 2, span, shape.head_dim};
  std::vector<float> relative_key, relative_query;
  if (!source.flag()) relative_key = source.numbers<float>(source.length(table_size));
  if (!source.flag()) relative_query = source.numbers<float>(source.length(table_size));
  std::optional<DebertaRule> rule;
  if (source.flag()) rule = deberta_rule(source);
  const DebertaTerm term(relative_key, relative_query, span, rule);
  const bool fits = (relative_key.empty() || table_size.is(relative_key.size())) &&
                    (relative_query.empty() || table_size.is(relative_query.size()));
  return attend_with(source, shape, nullptr, &term, fits);
}

}  // namespace

Seeds seeds() {
  return {{0, 20, 0, 60, 0, 60},          {0, 64, 1, 200, 0, 90, 1, 7},     {0, 64, 1, 200, 1, 90, 1, 7},
          {1, 1, 1, 1, 1, 1, 1, 1, 0, 1}, {1, 2, 4, 2, 9, 12, 10, 1, 1, 6}, {1, 1, 2, 2, 30, 30, 8, 1, 0, 10}};
}

Status run(Source source) { return source.flag() ? run_scores(source) : run_buckets(source); }

}  // namespace posenc::fuzz
