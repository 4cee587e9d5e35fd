#include "loops.h"
#include "rmsnorm/rmsnorm.h"

void rmsnorm(matrix<float> Y, matrix<const float> X, vector<const float> weight, float epsilon) {
  const integer m = X.extent(0), n = X.extent(1);
  const float *const w = weight.data();
#pragma omp parallel for
  for (integer i = 0; i < m; ++i) {
    const float *const x = row(X, i);
    float *const y = row(Y, i);
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (integer j = 0; j < n; ++j)
      sum += x[j] * x[j];
    const float scale = 1 / std::sqrt(sum / float(n) + epsilon);
#pragma omp simd
    for (integer j = 0; j < n; ++j)
      y[j] = x[j] * scale * w[j];
  }
}
