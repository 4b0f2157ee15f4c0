#include "core/analysis/decompose.hpp"
#include "fuzz/source.hpp"

namespace posenc::fuzz {

Seeds seeds() { return {{1, 1, 1}, {9, 12, 12}, {20, 7, 3, 3}}; }

Status run(Source source) {
  DecomposeShape shape;
  shape.length = source.size(30);
  shape.dim = source.size(30);
  shape.projected = source.size(30);
  const std::uint8_t weights = source.byte();
  const Product input{shape.length, shape.dim}, weight{shape.dim, shape.projected}, term{shape.length, shape.length};
  const auto x = source.numbers<float>(source.length(input)), p = source.numbers<float>(source.length(input));
  std::vector<float> wq, wk;
  if (weights & 1) wq = source.numbers<float>(source.length(weight));
  if (weights & 2) wk = source.numbers<float>(source.length(weight));
  Output<float> cc(source.length(term)), pc(source.length(term)), cp(source.length(term)), pp(source.length(term));
  std::vector<double> scratch(source.length({decompose_scratch(shape)}));
  const Status status = decompose({cc.span(), pc.span(), cp.span(), pp.span()}, x, p, wq, wk, scratch, shape);
  const bool fits = input.is(x.size()) && input.is(p.size()) && (wq.empty() || weight.is(wq.size())) &&
                    (wk.empty() || weight.is(wk.size())) && term.is(cc.values().size()) &&
                    term.is(pc.values().size()) && term.is(cp.values().size()) && term.is(pp.values().size()) &&
                    scratch.size() >= decompose_scratch(shape);
  require_contract(status, fits, cc, pc, cp, pp);
  const bool moderate = all_within(x, 1) && all_within(p, 1) && all_within(wq, 1) && all_within(wk, 1);
  if (status == Status::Ok && moderate) {
    const double most = std::pow(static_cast<double>(shape.dim), 2) * static_cast<double>(shape.projected);
    require(all_within(cc.values(), most) && all_within(pp.values(), most), "a term is a sum of products");
  }
  return status;
}

}  // namespace posenc::fuzz
