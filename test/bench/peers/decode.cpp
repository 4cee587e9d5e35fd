#include "decode/decode.h"
#include "loops.h"

#include <vector>

void decode(septran::tensor<float, 3> O, septran::tensor<const float, 3> Q,
            septran::tensor<const float, 4> K, septran::tensor<const float, 4> V, float scale) {
  const index heads = O.extent(1), width = O.extent(2), keys = K.extent(2);
  const index group = heads / K.extent(1), count = O.extent(0) * heads;
#pragma omp parallel
  {
    std::vector<float> scores(keys);
#pragma omp for
    for (index bh = 0; bh < count; ++bh) {
      const index b = bh / heads, h = bh % heads, g = h / group;
      const float *const q = &Q(b, h, 0);
      float *const o = &O(b, h, 0), *const s = scores.data();
      float top = -std::numeric_limits<float>::max(), total = 0;
      for (index t = 0; t < keys; ++t) {
        const float *const k = &K(b, g, t, 0);
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (index d = 0; d < width; ++d)
          sum += q[d] * k[d];
        s[t] = scale * sum;
        top = std::max(top, s[t]);
      }
#pragma omp simd reduction(+ : total)
      for (index t = 0; t < keys; ++t) {
        s[t] = std::exp(s[t] - top);
        total += s[t];
      }
      std::fill_n(o, width, 0.0f);
      for (index t = 0; t < keys; ++t) {
        const float *const v = &V(b, g, t, 0);
        const float weight = s[t] / total;
#pragma omp simd
        for (index d = 0; d < width; ++d)
          o[d] += weight * v[d];
      }
    }
  }
}
