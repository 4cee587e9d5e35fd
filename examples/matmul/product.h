//===- product.h - a matrix product in one leaf -----------------*- C++ -*-===//
//
// In place of matmul_tile, for processors that multiply matrices of any depth at once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "common/gemm.h"

/// C = A * B. The sums are rounded to C's type once, at the end.
template <class C_t, class A_t, class B_t>
[[septran::leaf("matmul")]]
void product([[septran::write]] matrix<C_t> C, matrix<const A_t> A, matrix<const B_t> B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j) {
      accumulator_t<A_t> sum = 0;
      for (int k = 0; k < A.extent(1); ++k)
        sum += accumulator_t<A_t>(A(i, k)) * accumulator_t<A_t>(B(k, j));
      C(i, j) = C_t(sum);
    }
}
