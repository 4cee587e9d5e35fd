#include "dot/dot.h"
#include "loops.h"

void dot(vector<float> result, vector<const float> x, vector<const float> y) {
  const integer n = x.extent(0);
  const float *const a = x.data(), *const b = y.data();
  double sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (integer i = 0; i < n; ++i)
    sum += double(a[i]) * double(b[i]);
  result(0) = float(sum);
}
