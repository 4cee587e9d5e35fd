#include "layernorm/layernorm.h"
#include "loops.h"

void layernorm(matrix<float> Y, matrix<const float> X, vector<const float> weight,
               vector<const float> bias, float epsilon) {
  const integer m = X.extent(0), n = X.extent(1);
  const float *const w = weight.data(), *const b = bias.data();
#pragma omp parallel for
  for (integer i = 0; i < m; ++i) {
    const float *const x = row(X, i);
    float *const y = row(Y, i);
    float sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
    for (integer j = 0; j < n; ++j)
      sum += x[j];
    const float mean = sum / float(n);
#pragma omp simd reduction(+ : squares)
    for (integer j = 0; j < n; ++j)
      squares += (x[j] - mean) * (x[j] - mean);
    const float scale = 1 / std::sqrt(squares / float(n) + epsilon);
#pragma omp simd
    for (integer j = 0; j < n; ++j)
      y[j] = (x[j] - mean) * scale * w[j] + b[j];
  }
}
