#pragma once

#include "core/rotary/rope.hpp"
#include "fuzz/source.hpp"

// What the fuzzers of rotary embeddings share.

namespace posenc::fuzz {

/// A tensor, the table that turns it, and which of its rows each token takes.
struct Rotation {
  RopeShape shape;
  Direction direction = Direction::Forward;
  std::vector<float> cos, sin;
  std::vector<std::uint32_t> rows;
  Output<float> x;

  [[nodiscard]] static Rotation from(Source& source) {
    RopeShape shape;
    shape.batch = source.size(3);
    shape.length = source.size(50);
    shape.heads = source.size(4);
    shape.head_dim = source.size(48);
    shape.rotary_dim = source.size(48);
    shape.format = source.one_of({TensorFormat::Bshd, TensorFormat::Bhsd});
    shape.pairing = source.one_of({Pairing::Half, Pairing::Interleaved});
    const auto direction = source.one_of({Direction::Forward, Direction::Inverse});
    const std::size_t table_rows = source.flag() ? source.size(60) : shape.length;
    const Product table{table_rows, shape.rotary_dim / 2};
    auto cos = source.numbers<float>(source.length(table));
    auto sin = source.numbers<float>(source.length(table));
    std::vector<std::uint32_t> rows;
    if (source.flag()) {
      const Product tokens{source.flag() ? shape.batch : 1, shape.length};
      rows = source.rows(source.length(tokens), table_rows);
    }
    const Product size{shape.batch, shape.length, shape.heads, shape.head_dim};
    return {shape,          direction,       std::move(cos),
            std::move(sin), std::move(rows), Output<float>(source.numbers<float>(source.length(size)))};
  }

  [[nodiscard]] bool fits() const noexcept {
    return Product({shape.batch, shape.length, shape.heads, shape.head_dim}).is(x.values().size()) &&
           cos.size() == sin.size();
  }

  void require_result(Status status) const noexcept {
    require_contract(status, fits(), x);
    if (status != Status::Ok) return;
    const auto is_large = [this](std::size_t i) {
      return std::abs(x.values()[i]) > 2 && all_within(cos, 1) && all_within(sin, 1) && all_within(x.before(), 1);
    };
    for (std::size_t i = 0; i < x.values().size(); ++i) {
      const bool passes = i % shape.head_dim >= shape.rotary_dim;
      const bool kept = std::memcmp(&x.values()[i], &x.before()[i], sizeof(float)) == 0;
      require(!passes || kept, "channels past the rotary width pass through");
      require(!is_large(i), "a turned vector is no longer than its table makes it");
    }
  }
};

}  // namespace posenc::fuzz
