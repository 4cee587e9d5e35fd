// A thread takes some queries of one head at a time.
#include "attention/attention.h"
#include "onednn/gemm/attend.h"

void attention(septran::tensor<float, 4> O, septran::tensor<const float, 4> Q,
               septran::tensor<const float, 4> K, septran::tensor<const float, 4> V, float scale,
               bool causal) {
  constexpr integer block = 128; // scores of 2048 keys fill 1 MiB
  const integer heads = O.extent(1), queries = O.extent(2), keys = K.extent(2);
  const integer group = heads / K.extent(1);
#pragma omp parallel for collapse(3) schedule(dynamic)
  for (integer b = 0; b < O.extent(0); ++b)
    for (integer h = 0; h < heads; ++h)
      for (integer first = 0; first < queries; first += block) {
        const integer g = h / group, rows = std::min(block, queries - first);
        const auto seen = [=](integer i) {
          return causal ? std::max<integer>(keys - queries + first + i + 1, 0) : keys;
        };
        const integer last = seen(rows - 1); // of these queries, the one that sees most
        attend({&O(b, h, first, 0), rows, O.extent(3)}, {&Q(b, h, first, 0), rows, Q.extent(3)},
               {&K(b, g, 0, 0), last, K.extent(3)}, {&V(b, g, 0, 0), last, V.extent(3)}, scale,
               seen);
      }
}
