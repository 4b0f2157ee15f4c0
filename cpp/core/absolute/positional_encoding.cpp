#include "core/absolute/positional_encoding.hpp"

#include "core/numeric/shape.hpp"
#include "core/numeric/simd.hpp"

namespace posenc {
namespace {

/// A number in [0, 1) for every element of a run: SplitMix64 (Steele, Lea and Flood 2014) at a position of its stream.
double uniform(std::uint64_t seed, std::uint64_t element) noexcept {
  std::uint64_t z = seed + (element + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-53;
}

void add(float* out, const float* x, const float* table, std::size_t n) noexcept {
  for_each_vec(n, [=](std::size_t i, auto lanes) { lanes.store(out + i, lanes.load(x + i) + lanes.load(table + i)); });
}

}  // namespace

Status positional_encoding(std::span<float> out, std::span<const float> x, std::span<const float> table,
                           PositionalEncodingShape shape, double dropout, std::uint64_t seed) noexcept {
  if (shape.batch == 0 || shape.length == 0 || shape.dim == 0) return Status::BadShape;
  if (product({shape.batch, shape.length, shape.dim}) != x.size() || x.size() != out.size()) return Status::WrongLength;
  if (product({shape.length, shape.dim}) != table.size()) return Status::WrongLength;
  if (!(dropout >= 0 && dropout < 1)) return Status::OutOfRange;

  for (std::size_t start = 0; start < out.size(); start += table.size()) {
    add(out.data() + start, x.data() + start, table.data(), table.size());
  }
  if (dropout == 0) return Status::Ok;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = uniform(seed, i) < dropout ? 0.0F : static_cast<float>(static_cast<double>(out[i]) / (1 - dropout));
  }
  return Status::Ok;
}

}  // namespace posenc
