#include "attention/attention.h"
#include "loops.h"

#include <vector>

void attention(septran::tensor<float, 4> O, septran::tensor<const float, 4> Q,
               septran::tensor<const float, 4> K, septran::tensor<const float, 4> V, float scale,
               bool causal) {
  const index heads = O.extent(1), queries = O.extent(2), width = O.extent(3), keys = K.extent(2);
  const index group = heads / K.extent(1);
#pragma omp parallel
  {
    std::vector<float> scores(keys);
#pragma omp for collapse(3)
    for (index b = 0; b < O.extent(0); ++b)
      for (index h = 0; h < heads; ++h)
        for (index i = 0; i < queries; ++i) {
          const index g = h / group, seen = causal ? std::min(keys, keys - queries + i + 1) : keys;
          const float *const q = &Q(b, h, i, 0);
          float *const o = &O(b, h, i, 0), *const s = scores.data();
          float top = -std::numeric_limits<float>::max(), total = 0;
          for (index t = 0; t < seen; ++t) {
            const float *const k = &K(b, g, t, 0);
            float sum = 0;
#pragma omp simd reduction(+ : sum)
            for (index d = 0; d < width; ++d)
              sum += q[d] * k[d];
            s[t] = scale * sum;
            top = std::max(top, s[t]);
          }
#pragma omp simd reduction(+ : total)
          for (index t = 0; t < seen; ++t) {
            s[t] = std::exp(s[t] - top);
            total += s[t];
          }
          std::fill_n(o, width, 0.0f);
          for (index t = 0; t < seen; ++t) {
            const float *const v = &V(b, g, t, 0);
            const float weight = s[t] / total;
#pragma omp simd
            for (index d = 0; d < width; ++d)
              o[d] += weight * v[d];
          }
        }
  }
}
