#include "core/relative/relative_scores.hpp"

#include <algorithm>

namespace posenc {
namespace {

using RowList = std::span<const std::uint32_t>;

/// A part of a list of rows, whose rows lie within a stretch of the table.
struct Piece {
  std::size_t first = 0;  // numbers first ... last - 1 of the list
  std::size_t last = 0;
  std::uint32_t least = 0;  // rows least ... least + rows - 1
  std::size_t rows = 0;
};

/// Cuts a list into pieces of at most `most` rows of the table. One is enough, unless the rows of neighbouring
/// distances lie far apart.
template <class Body>
void for_each_piece(RowList list, std::size_t most, Body body) noexcept {
  const auto apart = [](std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; };
  for (std::size_t first = 0; first < list.size();) {
    const RowList rest = list.subspan(first);
    const auto end =
        std::ranges::partition_point(rest, [&](std::uint32_t row) { return apart(row, rest.front()) < most; });
    const auto count = static_cast<std::size_t>(end - rest.begin());
    const std::uint32_t last_row = rest[count - 1];
    body(Piece{.first = first,
               .last = first + count,
               .least = std::min(rest.front(), last_row),
               .rows = apart(rest.front(), last_row) + std::size_t{1}});
    first += count;
  }
}

/// scores[k] += scale * products[rows[k]], where rows count from `least`.
void add_gathered(float* scores, float scale, const float* products, const std::uint32_t* rows, std::size_t n,
                  std::uint32_t least) noexcept {
  for (std::size_t k = 0; k < n; ++k) scores[k] += scale * products[rows[k] - least];
}

/// sums[rows[k]] += weights[k], where rows count from `least`.
void scatter_weights(float* sums, const float* weights, const std::uint32_t* rows, std::size_t n,
                     std::uint32_t least) noexcept {
  for (std::size_t k = 0; k < n; ++k) sums[rows[k] - least] += weights[k];
}

/// The keys whose distances from query r have numbers in a piece, and the number of the first of them.
struct Stretch {
  std::size_t first_key = 0;
  std::size_t keys = 0;
  std::size_t number = 0;

  static Stretch of(std::size_t r, const Piece& piece, const ScoreBlock& block) noexcept {
    const std::size_t of_key_0 = block.queries - 1 - r;
    const std::size_t first = std::max(piece.first, of_key_0);
    const std::size_t last = std::min(piece.last, of_key_0 + block.keys);
    return first < last ? Stretch{first - of_key_0, last - first, first} : Stretch{};
  }
};

}  // namespace

const float* RelativeTerm::query_offset(std::size_t, const AttentionShape&) const noexcept { return nullptr; }

void RelativeTerm::add_values(Rows, ConstRows, const ScoreBlock&, const ScoreOperands&) const noexcept {}

Status check_lengths(std::initializer_list<SizedSpan> spans) noexcept {
  if (std::ranges::any_of(spans, [](SizedSpan s) { return s.expected == kTooLarge; })) return Status::BadShape;
  const bool fit = std::ranges::all_of(spans, [](SizedSpan s) { return s.size == s.expected; });
  return fit ? Status::Ok : Status::WrongLength;
}

void add_query_products(Rows scores, ConstRows queries, ConstRows table, const DistanceRows& rows,
                        const ScoreBlock& block, const ScoreOperands& operands) noexcept {
  const RowList list = rows.all();
  for_each_piece(list, operands.products.stride, [&](const Piece& piece) {
    score_rows(operands.products, queries, block.queries, {table[piece.least], table.stride}, piece.rows,
               block.shape->head_dim);
    for (std::size_t r = 0; r < block.queries; ++r) {
      const Stretch part = Stretch::of(r, piece, block);
      add_gathered(scores[r] + part.first_key, operands.scale, operands.products[r], list.data() + part.number,
                   part.keys, piece.least);
    }
  });
}

void add_key_products(Rows scores, ConstRows table, const DistanceRows& rows, const ScoreBlock& block,
                      const ScoreOperands& operands) noexcept {
  // Few keys at a time: each meets the rows of `queries` distances, and neighbours share all of them but one.
  constexpr std::size_t kKeys = 4;
  static_assert(kKeys <= ScoreBlock::kMaxQueries);
  const Rows products = operands.products;
  for (std::size_t key = 0; key < block.keys; key += kKeys) {
    const std::size_t keys = std::min(kKeys, block.keys - key);
    const RowList list = rows.all().subspan(key, block.queries + keys - 1);
    for_each_piece(list, products.stride, [&](const Piece& piece) {
      score_rows(products, {operands.keys[key], operands.keys.stride}, keys, {table[piece.least], table.stride},
                 piece.rows, block.shape->head_dim);
      for (std::size_t k = 0; k < keys; ++k) {
        for (std::size_t r = 0; r < block.queries; ++r) {
          const std::size_t number = block.queries - 1 - r + k;
          if (number < piece.first || number >= piece.last) continue;
          scores[r][key + k] += operands.scale * products[k][list[number] - piece.least];
        }
      }
    });
  }
}

void add_value_rows(Rows output, ConstRows weights, ConstRows table, const DistanceRows& rows, const ScoreBlock& block,
                    const ScoreOperands& operands) noexcept {
  const RowList list = rows.all();
  for_each_piece(list, operands.products.stride, [&](const Piece& piece) {
    for (std::size_t r = 0; r < block.queries; ++r) {
      const Stretch part = Stretch::of(r, piece, block);
      if (part.keys == 0) continue;
      float* sums = operands.products.data;
      std::fill_n(sums, piece.rows, 0.0F);
      scatter_weights(sums, weights[r] + part.first_key, list.data() + part.number, part.keys, piece.least);
      accumulate_rows({output[r], 0}, {sums, 0}, 1, {table[piece.least], table.stride}, piece.rows,
                      block.shape->value_dim);
    }
  });
}

}  // namespace posenc
