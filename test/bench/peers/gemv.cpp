#include "gemv/gemv.h"
#include "loops.h"

void gemv(vector<float> y, matrix<const float> A, vector<const float> x) {
  const integer m = A.extent(0), n = A.extent(1);
  const float *const v = x.data();
#pragma omp parallel for
  for (integer i = 0; i < m; ++i) {
    const float *const a = row(A, i);
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (integer j = 0; j < n; ++j)
      sum += a[j] * v[j];
    y(i) = sum;
  }
}

void gemv_t(vector<float> y, matrix<const float> A, vector<const float> x) {
  const integer m = A.extent(0), n = A.extent(1);
  float *const sums = y.data();
  std::fill_n(sums, n, 0.0f);
#pragma omp parallel for reduction(+ : sums[:n])
  for (integer i = 0; i < m; ++i) {
    const float *const a = row(A, i);
    const float factor = x(i);
#pragma omp simd
    for (integer j = 0; j < n; ++j)
      sums[j] += factor * a[j];
  }
}
