#pragma once

#include "core/relative/relative_bias.hpp"
#include "fuzz/source.hpp"

// What the fuzzers of biases share.

namespace posenc::fuzz {

[[nodiscard]] inline BiasShape bias_shape(Source& source) noexcept {
  BiasShape shape;
  shape.heads = source.size(9);
  shape.query_length = source.size(20);
  shape.key_length = source.size(40);
  shape.query_start = source.position(0);
  shape.key_start = source.position(0);
  return shape;
}

[[nodiscard]] inline Product bias_size(const BiasShape& shape) noexcept {
  return {shape.heads, shape.query_length, shape.key_length};
}

}  // namespace posenc::fuzz
