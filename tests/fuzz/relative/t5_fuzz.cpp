#include "core/relative/t5.hpp"
#include "fuzz/relative/bias.hpp"

namespace posenc::fuzz {
namespace {

/// Up to 200, or up to 60000 in steps of 300; some are outside the ranges of a rule.
std::size_t wide(Source& source) noexcept {
  const std::size_t step = source.flag() ? 300 : 1;
  return step * source.size(200);
}

T5Rule t5_rule(Source& source) noexcept {
  T5Rule rule;
  rule.reach = source.one_of({T5Reach::BothSides, T5Reach::Past});
  rule.buckets = wide(source);
  rule.max_distance = wide(source);
  return rule;
}

Status run_buckets(Source& source) {
  const T5Rule rule = t5_rule(source);
  const auto relative = source.positions(source.length({source.size(100)}));
  Output<std::int32_t> out(source.length({relative.size()}));
  const Status status = t5_buckets(out.span(), relative, rule);
  require_contract(status, out.values().size() == relative.size(), out);
  if (status == Status::Ok) {
    for (const std::int32_t bucket : out.values()) {
      require(bucket >= 0 && static_cast<std::size_t>(bucket) < rule.buckets, "a bucket is one of the rule's");
    }
  }
  return status;
}

Status run_bias(Source& source) {
  const T5Rule rule = t5_rule(source);
  const BiasShape shape = bias_shape(source);
  const auto table = source.numbers<float>(source.length({rule.buckets, shape.heads}));
  Output<float> out(source.length(bias_size(shape)));
  const Status status = t5_bias(out.span(), table, shape, rule);
  require_contract(
      status, bias_size(shape).is(out.values().size()) && Product({rule.buckets, shape.heads}).is(table.size()), out);
  if (status == Status::Ok && all_within(table, 1)) require(all_within(out.values(), 1), "a bias is from the table");
  return status;
}

}  // namespace

// A rule is five bytes: reach, then step and size of buckets and of max_distance.
Seeds seeds() {
  return {{0, 0, 0, 32, 0, 128, 60},
          {0, 1, 0, 32, 0, 128, 60, 1, 5},
          {0, 0, 1, 100, 1, 200, 90, 1, 5},
          {1, 0, 0, 32, 0, 128, 2, 5, 9},
          {1, 1, 0, 32, 0, 128, 4, 8, 30, 10}};
}

Status run(Source source) { return source.flag() ? run_bias(source) : run_buckets(source); }

}  // namespace posenc::fuzz
