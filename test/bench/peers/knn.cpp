#include "knn/knn.h"
#include "loops.h"

void distances(matrix<float> D, matrix<const float> Q, matrix<const float> T) {
  const integer m = D.extent(0), n = D.extent(1), k = Q.extent(1);
#pragma omp parallel for
  for (integer i = 0; i < m; ++i)
    for (integer j = 0; j < n; ++j) {
      const float *const q = row(Q, i), *const t = row(T, j);
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (integer p = 0; p < k; ++p)
        sum += (q[p] - t[p]) * (q[p] - t[p]);
      D(i, j) = sum;
    }
}
