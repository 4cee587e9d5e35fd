#include "loops.h"
#include "softmax/softmax.h"

void softmax(matrix<float> Y, matrix<const float> X) {
  const integer m = X.extent(0), n = X.extent(1);
#pragma omp parallel for
  for (integer i = 0; i < m; ++i) {
    const float *const x = row(X, i);
    float *const y = row(Y, i);
    float top = -std::numeric_limits<float>::max(), sum = 0;
#pragma omp simd reduction(max : top)
    for (integer j = 0; j < n; ++j)
      top = std::max(top, x[j]);
#pragma omp simd reduction(+ : sum)
    for (integer j = 0; j < n; ++j) {
      y[j] = std::exp(x[j] - top);
      sum += y[j];
    }
    const float scale = 1 / sum;
#pragma omp simd
    for (integer j = 0; j < n; ++j)
      y[j] *= scale;
  }
}
