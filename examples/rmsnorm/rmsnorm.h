//===- rmsnorm.h - root-mean-square norm of matrix rows ---------*- C++ -*-===//
//
// Y(i, j) = X(i, j) * weight(j) / sqrt(mean over j of X(i, j)^2 + epsilon).
//
// Any strides; Y may be X. bf16 is computed in float and rounded once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

void rmsnorm(septran::tensor<float, 2> Y, septran::tensor<const float, 2> X,
             septran::tensor<const float, 1> weight, float epsilon);
void rmsnorm_bf16(septran::tensor<septran::bfloat16, 2> Y,
                  septran::tensor<const septran::bfloat16, 2> X,
                  septran::tensor<const septran::bfloat16, 1> weight, float epsilon);
