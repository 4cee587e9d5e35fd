//===- mlp.h - layers of a transformer's feed-forward part ------*- C++ -*-===//
//
//   linear_gelu  Y = gelu_tanh(X W + bias)
//   swiglu       Y = silu(X Wg) * (X Wu), element by element (N. Shazeer, GLU Variants
//                Improve Transformer, 2020)
//
// X is M x K; W, Wg and Wu are K x N; Y is M x N; bias has N elements. Any strides; Y
// overlaps nothing. The matrices of weights are constant: mapped programs keep what they
// make of them, if the caller does.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/constant.h>
#include <septran/septran.h>

void linear_gelu(septran::tensor<float, 2> Y, septran::tensor<const float, 2> X,
                 septran::constant<float, 2> W, septran::tensor<const float, 1> bias);

void swiglu(septran::tensor<float, 2> Y, septran::tensor<const float, 2> X,
            septran::constant<float, 2> Wg, septran::constant<float, 2> Wu);
