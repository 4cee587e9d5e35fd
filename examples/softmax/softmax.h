//===- softmax.h - softmax of matrix rows -----------------------*- C++ -*-===//
//
// Y(i, j) = exp(X(i, j) - max_j X(i, j)) / sum over j of the same.
//
// Subtracting the maximum keeps exp in range. Any strides; Y may be X. The 16-bit
// types are computed in float and rounded once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

void softmax(septran::tensor<float, 2> Y, septran::tensor<const float, 2> X);
void softmax_f64(septran::tensor<double, 2> Y, septran::tensor<const double, 2> X);
void softmax_f16(septran::tensor<septran::float16, 2> Y,
                 septran::tensor<const septran::float16, 2> X);
void softmax_bf16(septran::tensor<septran::bfloat16, 2> Y,
                  septran::tensor<const septran::bfloat16, 2> X);
