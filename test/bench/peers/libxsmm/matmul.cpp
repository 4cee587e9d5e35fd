#include "matmul/matmul.h"
#include "libxsmm/kernels.h"

void matmul(matrix<float> C, matrix<const float> A, matrix<const float> B) {
#pragma omp parallel for collapse(2)
  for (integer i = 0; i < C.extent(0); i += largest_block)
    for (integer j = 0; j < C.extent(1); j += largest_block)
      multiply_tile(C, A, B, i, j);
}

void matmul_weights(matrix<float> C, matrix<const float> A, septran::constant<float, 2> B) {
  matmul(C, A, B);
}
