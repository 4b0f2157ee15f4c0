#include "core/relative/distance_bias.hpp"

#include "core/attention/attention.hpp"
#include "core/numeric/simd.hpp"

namespace posenc {

Status DistanceBias::check(const AttentionShape& shape, DistanceRange distances) const noexcept {
  if (values_.empty() || values_.size() % shape.heads != 0) return Status::WrongLength;
  const auto count = static_cast<std::int64_t>(values_.size() / shape.heads);
  return distances.greatest <= first_ && distances.least > first_ - count ? Status::Ok : Status::OutOfRange;
}

void DistanceBias::add(float* scores, const ScoreBlock& block) const noexcept {
  const std::size_t count = values_.size() / block.shape->heads;
  const float* biases = values_.data() + block.head * count + static_cast<std::size_t>(first_ - block.distance(0));
  for_each_vec(block.keys, [&](std::size_t k, auto lanes) {
    lanes.store(scores + k, lanes.load(scores + k) + lanes.load(biases + k));
  });
}

}  // namespace posenc
