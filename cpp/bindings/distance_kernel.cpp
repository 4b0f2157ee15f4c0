#include "core/analysis/distance_kernel.hpp"

#include "heap_array.hpp"

namespace posenc::bindings {
namespace {

Status distance_kernel(HeapDoubles& out, HeapDoubles& inv_freq, HeapDoubles& distances) {
  return posenc::distance_kernel(out.span(), inv_freq.span(), distances.span());
}

Status kernel_envelope(HeapDoubles& minimum, HeapDoubles& maximum, HeapDoubles& argmax, HeapDoubles& inv_freq,
                       HeapDoubles& edges, HeapDoubles& scratch) {
  return posenc::kernel_envelope(minimum.span(), maximum.span(), argmax.span(), inv_freq.span(), edges.span(),
                                 scratch.span());
}

/// `found`, of one number, receives how many there are.
Status find_aliases(HeapDoubles& distance, HeapDoubles& similarity, HeapIndices& found, HeapDoubles& inv_freq,
                    double from, double to, double above, HeapDoubles& scratch) {
  std::size_t count = 0;
  const Status status =
      posenc::find_aliases(distance.span(), similarity.span(), count, inv_freq.span(), from, to, above, scratch.span());
  found.span().front() = static_cast<std::uint32_t>(count);
  return status;
}

Status decay_bound(HeapDoubles& out, HeapDoubles& inv_freq, HeapDoubles& distances) {
  return posenc::decay_bound(out.span(), inv_freq.span(), distances.span());
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_distance_kernel) {
  emscripten::function("distanceKernel", &distance_kernel);
  emscripten::function("kernelEnvelope", &kernel_envelope);
  emscripten::function("findAliases", &find_aliases);
  emscripten::function("kernelScratch", &kernel_scratch);
  emscripten::function("decayBound", &decay_bound);
}

}  // namespace posenc::bindings
