//===- reductions.h - sums and the maximum of a matrix ----------*- C++ -*-===//
//
//   row_sums     y(i) = sum over j of X(i, j)
//   column_sums  y(j) = sum over i of X(i, j)
//   maximum      y(0) = the largest element of X; minus infinity without elements
//
// Any strides; y does not overlap X.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

void row_sums(septran::tensor<float, 1> y, septran::tensor<const float, 2> X);
void column_sums(septran::tensor<float, 1> y, septran::tensor<const float, 2> X);
void maximum(septran::tensor<float, 1> y, septran::tensor<const float, 2> X);
