#include "core/analysis/decompose.hpp"

#include <algorithm>

#include "core/numeric/dot.hpp"
#include "core/numeric/shape.hpp"

namespace posenc {
namespace {

/// rows [length, projected] = x [length, dim] times weights [dim, projected]; no weights are the identity.
void project(double* rows, const float* x, std::span<const float> weights, DecomposeShape shape) noexcept {
  const std::size_t n = shape.projected;
  for (std::size_t l = 0; l < shape.length; ++l) {
    double* const row = rows + l * n;
    const float* const from = x + l * shape.dim;
    if (weights.empty()) {
      std::copy_n(from, n, row);
      continue;
    }
    std::fill_n(row, n, 0.0);
    for (std::size_t d = 0; d < shape.dim; ++d) {
      const double factor = from[d];
      const float* const w = weights.data() + d * n;
      for (std::size_t c = 0; c < n; ++c) row[c] += factor * static_cast<double>(w[c]);
    }
  }
}

/// out [length, length] = query [length, projected] times key [length, projected] transposed.
void scores(std::span<float> out, const double* query, const double* key, DecomposeShape shape) noexcept {
  for (std::size_t m = 0; m < shape.length; ++m) {
    for (std::size_t n = 0; n < shape.length; ++n) {
      const double sum = dot(query + m * shape.projected, key + n * shape.projected, shape.projected);
      out[m * shape.length + n] = static_cast<float>(sum);
    }
  }
}

}  // namespace

std::size_t decompose_scratch(DecomposeShape shape) noexcept { return product({4, shape.length, shape.projected}); }

Status decompose(FourTerms terms, std::span<const float> x, std::span<const float> p, std::span<const float> wq,
                 std::span<const float> wk, std::span<double> scratch, DecomposeShape shape) noexcept {
  if (shape.length == 0 || shape.dim == 0 || shape.projected == 0) return Status::BadShape;
  if ((wq.empty() || wk.empty()) && shape.projected != shape.dim) return Status::BadShape;
  const std::size_t inputs = product({shape.length, shape.dim});
  const std::size_t weights = product({shape.dim, shape.projected});
  const std::size_t outputs = product({shape.length, shape.length});
  if (x.size() != inputs || p.size() != inputs) return Status::WrongLength;
  if ((!wq.empty() && wq.size() != weights) || (!wk.empty() && wk.size() != weights)) return Status::WrongLength;
  for (const auto term :
       {terms.content_content, terms.position_content, terms.content_position, terms.position_position}) {
    if (term.size() != outputs) return Status::WrongLength;
  }
  if (scratch.size() < decompose_scratch(shape)) return Status::WrongLength;

  const std::size_t rows = shape.length * shape.projected;
  double* const content_query = scratch.data();
  double* const position_query = content_query + rows;
  double* const content_key = position_query + rows;
  double* const position_key = content_key + rows;
  project(content_query, x.data(), wq, shape);
  project(position_query, p.data(), wq, shape);
  project(content_key, x.data(), wk, shape);
  project(position_key, p.data(), wk, shape);
  scores(terms.content_content, content_query, content_key, shape);
  scores(terms.position_content, position_query, content_key, shape);
  scores(terms.content_position, content_query, position_key, shape);
  scores(terms.position_position, position_query, position_key, shape);
  return Status::Ok;
}

}  // namespace posenc
