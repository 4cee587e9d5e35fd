#include "attend.h"
#include "attention/attention.h"

#include <vector>

void attention(septran::tensor<float, 4> O, septran::tensor<const float, 4> Q,
               septran::tensor<const float, 4> K, septran::tensor<const float, 4> V, float scale,
               bool causal) {
  const integer heads = O.extent(1), queries = O.extent(2), width = O.extent(3), keys = K.extent(2);
  const integer group = heads / K.extent(1);
#pragma omp parallel
  {
    std::vector<float> scores(keys);
#pragma omp for collapse(3)
    for (integer b = 0; b < O.extent(0); ++b)
      for (integer h = 0; h < heads; ++h)
        for (integer i = 0; i < queries; ++i) {
          const integer g = h / group, seen = causal ? std::min(keys, keys - queries + i + 1) : keys;
          attend(&O(b, h, i, 0), &Q(b, h, i, 0), {&K(b, g, 0, 0), K.stride(2)},
                 {&V(b, g, 0, 0), V.stride(2)}, seen, width, scale, scores.data());
        }
  }
}
