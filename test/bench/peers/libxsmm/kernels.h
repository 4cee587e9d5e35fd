//===- kernels.h - products by kernels that libxsmm generates ----*- C++ -*-===//
//
// libxsmm writes machine code for the very shape that it is asked for, up to where one kernel
// serves a matrix. Larger matrices are blocks of that size here: C is spread over threads, k goes
// step by step.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "loops.h"

#include <libxsmm.h>

#include <algorithm>
#include <stdexcept>

constexpr integer largest_block = 512;

/// C = A B, or C += A B, for at most largest_block rows and columns of each.
inline void multiply_block(const matrix<float> &C, const matrix<const float> &A,
                           const matrix<const float> &B, integer i, integer j, integer p) {
  const auto extent = [](integer all, integer first) {
    return int(std::min(largest_block, all - first));
  };
  const int m = extent(C.extent(0), i), n = extent(C.extent(1), j), k = extent(A.extent(1), p);
  const int lda = int(A.stride(0)), ldb = int(B.stride(0)), ldc = int(C.stride(0));
  const float alpha = 1, beta = p ? 1 : 0;
  // Its matrices are stored by columns: the transposed C is the product of the transposed B and A.
  const libxsmm_smmfunction kernel =
      libxsmm_smmdispatch(n, m, k, &ldb, &lda, &ldc, &alpha, &beta, nullptr, nullptr);
  if (!kernel)
    throw std::runtime_error("libxsmm has no kernel for this shape");
  kernel(row(B, p) + j, row(A, i) + p, row(C, i) + j);
}

/// The tile of C = A B that begins at i, j.
inline void multiply_tile(const matrix<float> &C, const matrix<const float> &A,
                          const matrix<const float> &B, integer i, integer j) {
  for (integer p = 0; p < A.extent(1); p += largest_block)
    multiply_block(C, A, B, i, j, p);
}
