// Many products by Eigen, one per thread at a time.
#include "batched/batched.h"
#include "eigen/maps.h"

void batched(septran::tensor<float, 3> C, septran::tensor<const float, 3> A,
             septran::tensor<const float, 3> B) {
#pragma omp parallel for
  for (integer b = 0; b < C.extent(0); ++b)
    map(at(C, b)).noalias() = map(at(A, b)) * map(at(B, b));
}
