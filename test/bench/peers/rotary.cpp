#include "loops.h"
#include "rotary/rotary.h"

void rotary(septran::tensor<float, 3> X, matrix<const float> cos, matrix<const float> sin) {
  const integer tokens = X.extent(0), heads = X.extent(1), half = X.extent(2) / 2;
#pragma omp parallel for
  for (integer t = 0; t < tokens; ++t)
    for (integer h = 0; h < heads; ++h) {
      float *const x = &X(t, h, 0), *const y = x + half;
      const float *const cs = row(cos, t), *const ss = row(sin, t);
#pragma omp simd
      for (integer p = 0; p < half; ++p) {
        const float a = x[p], b = y[p], c = cs[p], s = ss[p];
        x[p] = a * c - b * s;
        y[p] = a * s + b * c;
      }
    }
}
