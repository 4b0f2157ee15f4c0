#include "core/attention/attention_tile.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "core/numeric/simd.hpp"

namespace posenc {
namespace {

constexpr std::size_t kPanelVecs = kPanel / kLanes;
constexpr std::size_t kTileRows = 2;  // with kPanel columns: eight sums and six operands fit sixteen registers
static_assert(kPanel % kLanes == 0);

/// Calls body.operator()<rows>(first) for pairs of rows and a last single one.
template <class Body>
void for_row_tiles(std::size_t rows, Body body) noexcept {
  std::size_t r = 0;
  for (; r + kTileRows <= rows; r += kTileRows) body.template operator()<kTileRows>(r);
  if (r != rows) body.template operator()<1>(r);
}

/// rows [kRows][steps] times panel [steps][kPanel].
template <std::size_t kRows>
std::array<std::array<Vec, kPanelVecs>, kRows> multiply(ConstRows rows, const float* panel,
                                                        std::size_t steps) noexcept {
  std::array<std::array<Vec, kPanelVecs>, kRows> sums;
  for (auto& row : sums) row.fill(Vec(0.0F));
  std::array<const float*, kRows> from;
  for (std::size_t r = 0; r < kRows; ++r) from[r] = rows[r];
  for (std::size_t s = 0; s < steps; ++s, panel += kPanel) {
    std::array<Vec, kPanelVecs> columns;
    for (std::size_t c = 0; c < kPanelVecs; ++c) columns[c] = load(panel + c * kLanes);
    for (std::size_t r = 0; r < kRows; ++r) {
      const Vec factor(from[r][s]);
      for (std::size_t c = 0; c < kPanelVecs; ++c) sums[r][c] = mul_add(factor, columns[c], sums[r][c]);
    }
  }
  return sums;
}

/// Dot products of kRows queries with kLanes keys; lane k of result r belongs to key k.
template <std::size_t kRows>
std::array<Vec, kRows> dot(ConstRows queries, const std::array<const float*, kLanes>& keys, std::size_t dim) noexcept {
  std::array<std::array<Vec, kLanes>, kRows> sums;
  for (auto& row : sums) row.fill(Vec(0.0F));
  for_each_vec(dim, [&](std::size_t d, auto lanes) {
    std::array<Vec, kRows> query;
    for (std::size_t r = 0; r < kRows; ++r) query[r] = lanes.load(queries[r] + d);
    for (std::size_t k = 0; k < kLanes; ++k) {
      const Vec key = lanes.load(keys[k] + d);
      for (std::size_t r = 0; r < kRows; ++r) sums[r][k] = mul_add(query[r], key, sums[r][k]);
    }
  });
  std::array<Vec, kRows> dots;
  for (std::size_t r = 0; r < kRows; ++r) dots[r] = haddp(sums[r].data());
  return dots;
}

/// out[r] += sum over kKeys keys of weights[r][key] values[key].
template <std::size_t kRows, std::size_t kKeys>
void add_weighted(Rows out, ConstRows weights, ConstRows values, std::size_t dim) noexcept {
  std::array<std::array<Vec, kKeys>, kRows> weight;
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t k = 0; k < kKeys; ++k) weight[r][k] = Vec(weights[r][k]);
  }
  for_each_vec(dim, [&](std::size_t d, auto lanes) {
    std::array<Vec, kRows> sums;
    for (std::size_t r = 0; r < kRows; ++r) sums[r] = lanes.load(out[r] + d);
    for (std::size_t k = 0; k < kKeys; ++k) {
      const Vec value = lanes.load(values[k] + d);
      for (std::size_t r = 0; r < kRows; ++r) sums[r] = mul_add(weight[r][k], value, sums[r]);
    }
    for (std::size_t r = 0; r < kRows; ++r) lanes.store(out[r] + d, sums[r]);
  });
}

/// One of many vectors, by an operation on two.
template <std::size_t kCount, class Operation>
Vec combine(const std::array<Vec, kCount>& vectors, Operation operation) noexcept {
  return std::reduce(vectors.begin() + 1, vectors.end(), vectors[0], operation);
}

}  // namespace

void pack_keys(float* panel, ConstRows keys, std::size_t count, std::size_t dim) noexcept {
  for (std::size_t first = 0; first < kPanel; first += kLanes) {
    const std::size_t present = count > first ? std::min(count - first, kLanes) : 0;
    for_each_vec(dim, [&](std::size_t d, auto lanes) {
      std::array<Vec, kLanes> square;
      square.fill(Vec(0.0F));
      for (std::size_t k = 0; k < present; ++k) square[k] = lanes.load(keys[first + k] + d);
      transpose(square.data(), square.data() + kLanes);
      const std::size_t channels = std::min(dim - d, kLanes);
      for (std::size_t c = 0; c < channels; ++c) store(panel + (d + c) * kPanel + first, square[c]);
    });
  }
}

bool pack_values(float* panels, std::size_t panel_size, ConstRows values, std::size_t count, std::size_t dim) noexcept {
  std::array<Vec, kPanelVecs> zeros;  // stay zero while every value is finite
  zeros.fill(Vec(0.0F));
  for (std::size_t key = 0; key < count; ++key) {
    float* to = panels + key * kPanel;
    const auto copy_panel = [&](auto read) {
      for (std::size_t c = 0; c < kPanelVecs; ++c) {
        const Vec v = read(c * kLanes);
        store(to + c * kLanes, v);
        zeros[c] = mul_add(v, Vec(0.0F), zeros[c]);
      }
    };
    std::size_t d = 0;
    for (; d + kPanel <= dim; d += kPanel, to += panel_size) {
      copy_panel([from = values[key] + d](std::size_t c) { return load(from + c); });
    }
    if (d != dim) {
      copy_panel([from = values[key] + d, rest = dim - d](std::size_t c) {
        if (c >= rest) return Vec(0.0F);
        return rest - c < kLanes ? load_tail(from + c, rest - c) : load(from + c);
      });
    }
  }
  return reduce_add(combine(zeros, [](Vec a, Vec b) { return a + b; })) == 0.0F;
}

void score_panel(Rows scores, ConstRows queries, std::size_t rows, const float* panel, std::size_t dim) noexcept {
  for_row_tiles(rows, [&]<std::size_t kRows>(std::size_t first) {
    const auto sums = multiply<kRows>({queries[first], queries.stride}, panel, dim);
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t c = 0; c < kPanelVecs; ++c) store(scores[first + r] + c * kLanes, sums[r][c]);
    }
  });
}

void accumulate_panel(Rows out, const float* keep, ConstRows weights, std::size_t rows, const float* panel,
                      std::size_t keys) noexcept {
  for_row_tiles(rows, [&]<std::size_t kRows>(std::size_t first) {
    const auto sums = multiply<kRows>({weights[first], weights.stride}, panel, keys);
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t c = 0; c < kPanelVecs; ++c) {
        float* at = out[first + r] + c * kLanes;
        store(at, mul_add(Vec(keep[first + r]), load(at), sums[r][c]));
      }
    }
  });
}

void score_rows(Rows scores, ConstRows queries, std::size_t rows, ConstRows keys, std::size_t count,
                std::size_t dim) noexcept {
  for (std::size_t k = 0; k < count; k += kLanes) {
    const std::size_t present = std::min(count - k, kLanes);
    std::array<const float*, kLanes> group;
    for (std::size_t i = 0; i < kLanes; ++i) group[i] = keys[k + std::min(i, present - 1)];
    for_row_tiles(rows, [&]<std::size_t kRows>(std::size_t first) {
      const auto dots = dot<kRows>({queries[first], queries.stride}, group, dim);
      for (std::size_t r = 0; r < kRows; ++r) store(scores[first + r] + k, dots[r]);
    });
  }
}

void accumulate_rows(Rows out, ConstRows weights, std::size_t rows, ConstRows values, std::size_t count,
                     std::size_t dim) noexcept {
  for (std::size_t k = 0; k < count; k += kLanes) {
    const std::size_t present = std::min(count - k, kLanes);
    const ConstRows group{values[k], values.stride};
    for_row_tiles(rows, [&]<std::size_t kRows>(std::size_t first) {
      bool full = present == kLanes;
      for (std::size_t r = 0; full && r < kRows; ++r) full = all(load(weights[first + r] + k) != Vec(0.0F));
      if (full) {
        add_weighted<kRows, kLanes>({out[first], out.stride}, {weights[first] + k, weights.stride}, group, dim);
        return;
      }
      for (std::size_t r = 0; r < kRows; ++r) {
        for (std::size_t i = 0; i < present; ++i) {
          const float* weight = weights[first + r] + k + i;
          if (*weight != 0.0F) add_weighted<1, 1>({out[first + r], 0}, {weight, 0}, {group[i], 0}, dim);
        }
      }
    });
  }
}

float fold_softmax(float* scores, std::size_t n, float& row_max, float& row_sum) noexcept {
  constexpr float kNone = -std::numeric_limits<float>::infinity();
  std::array<Vec, kPanelVecs> greatest;  // side by side, to hide the latency of each
  greatest.fill(Vec(row_max));
  for (std::size_t i = 0; i < n; i += kPanel) {
    for (std::size_t p = 0; p < kPanelVecs; ++p) greatest[p] = max(greatest[p], load(scores + i + p * kLanes));
  }
  const float new_max = reduce_max(combine(greatest, [](Vec a, Vec b) { return max(a, b); }));
  const Vec shift(new_max == kNone ? 0.0F : new_max);  // no key yet: every exp(score - shift) is 0

  std::array<Vec, 2> sums;  // with more of them, constants of exp would not stay in registers
  sums.fill(Vec(0.0F));
  for (std::size_t i = 0; i < n; i += sums.size() * kLanes) {
    for (std::size_t p = 0; p < sums.size(); ++p) {
      float* at = scores + i + p * kLanes;
      const Vec e = exp(load(at) - shift);
      store(at, e);
      sums[p] += e;
    }
  }
  const float keep = row_max == new_max ? 1.0F : exp(Vec(row_max) - shift).get(0);
  row_sum = row_sum * keep + reduce_add(combine(sums, [](Vec a, Vec b) { return a + b; }));
  row_max = new_max;
  return keep;
}

}  // namespace posenc
