#include "batched/batched.h"
#include "loops.h"

void batched(septran::tensor<float, 3> C, septran::tensor<const float, 3> A,
             septran::tensor<const float, 3> B) {
  const integer count = C.extent(0), m = C.extent(1), n = C.extent(2), k = A.extent(2);
#pragma omp parallel for collapse(2)
  for (integer b = 0; b < count; ++b)
    for (integer i = 0; i < m; ++i) {
      float *const c = &C(b, i, 0);
      std::fill_n(c, n, 0.0f);
      for (integer p = 0; p < k; ++p) {
        const float a = A(b, i, p);
        const float *const line = &B(b, p, 0);
#pragma omp simd
        for (integer j = 0; j < n; ++j)
          c[j] += a * line[j];
      }
    }
}
