//===- layernorm.h - matrix rows to mean 0 and variance 1 -------*- C++ -*-===//
//
// Y(i, j) = (X(i, j) - mean) / sqrt(variance + epsilon) * weight(j) + bias(j), with mean
// and variance over row i of X (J. L. Ba et al., Layer Normalization, 2016).
//
// Any strides; Y may be X. bf16 is computed in float and rounded once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

void layernorm(septran::tensor<float, 2> Y, septran::tensor<const float, 2> X,
               septran::tensor<const float, 1> weight, septran::tensor<const float, 1> bias,
               float epsilon);
void layernorm_bf16(septran::tensor<septran::bfloat16, 2> Y,
                    septran::tensor<const septran::bfloat16, 2> X,
                    septran::tensor<const septran::bfloat16, 1> weight,
                    septran::tensor<const septran::bfloat16, 1> bias, float epsilon);
