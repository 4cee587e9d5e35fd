#include "reductions/reductions.h"
#include "loops.h"

void row_sums(vector<float> y, matrix<const float> X) {
  const integer m = X.extent(0), n = X.extent(1);
#pragma omp parallel for
  for (integer i = 0; i < m; ++i) {
    const float *const x = row(X, i);
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (integer j = 0; j < n; ++j)
      sum += x[j];
    y(i) = sum;
  }
}

void column_sums(vector<float> y, matrix<const float> X) {
  const integer m = X.extent(0), n = X.extent(1);
  float *const sums = y.data();
  std::fill_n(sums, n, 0.0f);
#pragma omp parallel for reduction(+ : sums[:n])
  for (integer i = 0; i < m; ++i) {
    const float *const x = row(X, i);
#pragma omp simd
    for (integer j = 0; j < n; ++j)
      sums[j] += x[j];
  }
}

void maximum(vector<float> y, matrix<const float> X) {
  const integer m = X.extent(0), n = X.extent(1);
  float top = -std::numeric_limits<float>::max();
#pragma omp parallel for reduction(max : top)
  for (integer i = 0; i < m; ++i) {
    const float *const x = row(X, i);
#pragma omp simd reduction(max : top)
    for (integer j = 0; j < n; ++j)
      top = std::max(top, x[j]);
  }
  y(0) = top;
}
