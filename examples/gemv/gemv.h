//===- gemv.h - matrix times vector -----------------------------*- C++ -*-===//
//
// y = A x for A of M x N elements, and y = A^T x for A of N x M. Any strides; y overlaps
// neither A nor x. For N = 0, y becomes zero.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

void gemv(septran::tensor<float, 1> y, septran::tensor<const float, 2> A,
          septran::tensor<const float, 1> x);

void gemv_t(septran::tensor<float, 1> y, septran::tensor<const float, 2> A,
            septran::tensor<const float, 1> x);
