#pragma once

#include <cstddef>

// What attention does with one block of keys: two products, and the softmax between them. Each product exists twice:
// over packed panels, which many query rows share, and over the caller's rows as they are, for the few rows of a
// decoding step. The inner loops are functions of their own, since an engine compiles a small hot function sooner and
// better.

namespace posenc {

/// How many columns a packed panel has. A panel [n][kPanel] lets a tile of the product stay in registers.
inline constexpr std::size_t kPanel = 16;

/// Rows of floats whose starts are `stride` apart.
struct ConstRows {
  const float* data = nullptr;
  std::size_t stride = 0;
  [[nodiscard]] const float* operator[](std::size_t row) const noexcept { return data + row * stride; }
};
struct Rows {
  float* data = nullptr;
  std::size_t stride = 0;
  [[nodiscard]] float* operator[](std::size_t row) const noexcept { return data + row * stride; }
  operator ConstRows() const noexcept { return {data, stride}; }
};

/// Up to kPanel keys, transposed: panel [dim][kPanel], with zeros where there is no key.
void pack_keys(float* panel, ConstRows keys, std::size_t count, std::size_t dim) noexcept;

/// Values cut into panels of kPanel channels: panels [ceil(dim / kPanel)], `panel_size` floats apart, each
/// [count][kPanel] with zeros where there is no channel. Returns whether every value is finite.
[[nodiscard]] bool pack_values(float* panels, std::size_t panel_size, ConstRows values, std::size_t count,
                               std::size_t dim) noexcept;

/// scores[r][0 ... kPanel - 1] = queries[r] . keys of the panel.
void score_panel(Rows scores, ConstRows queries, std::size_t rows, const float* panel, std::size_t dim) noexcept;

/// out[r][0 ... kPanel - 1] = keep[r] out[r] + sum over keys of weights[r][key] panel[key].
void accumulate_panel(Rows out, const float* keep, ConstRows weights, std::size_t rows, const float* panel,
                      std::size_t keys) noexcept;

/// scores[r][k] = queries[r] . keys[k]. Rows of scores have room for whole panels; what lies past count is undefined.
void score_rows(Rows scores, ConstRows queries, std::size_t rows, ConstRows keys, std::size_t count,
                std::size_t dim) noexcept;

/// out[r] += sum over keys of weights[r][key] values[key]. A value whose weight is 0 is not touched, so that a NaN in a
/// masked key stays out. Rows of weights and out have room for whole panels.
void accumulate_rows(Rows out, ConstRows weights, std::size_t rows, ConstRows values, std::size_t count,
                     std::size_t dim) noexcept;

/// One step of the online softmax: turns n scores of a row, whole panels, into exp(score - row_max), where
/// row_max and row_sum take in the new keys. Before the first key they are -infinity and 0. Returns the factor for what
/// was summed under the old row_max.
[[nodiscard]] float fold_softmax(float* scores, std::size_t n, float& row_max, float& row_sum) noexcept;

}  // namespace posenc
