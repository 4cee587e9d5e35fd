#include "batched/batched.h"
#include "libxsmm/kernels.h"

void batched(septran::tensor<float, 3> C, septran::tensor<const float, 3> A,
             septran::tensor<const float, 3> B) {
#pragma omp parallel for collapse(3)
  for (integer b = 0; b < C.extent(0); ++b)
    for (integer i = 0; i < C.extent(1); i += largest_block)
      for (integer j = 0; j < C.extent(2); j += largest_block)
        multiply_tile(at(C, b), at(A, b), at(B, b), i, j);
}
