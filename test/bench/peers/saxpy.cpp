#include "loops.h"
#include "saxpy/saxpy.h"

void saxpy(vector<float> y, float a, vector<const float> x) {
  const integer n = y.extent(0);
  float *const to = y.data();
  const float *const from = x.data();
#pragma omp parallel for simd
  for (integer i = 0; i < n; ++i)
    to[i] += a * from[i];
}
