//===- elementwise.h - operations on every element by itself ----*- C++ -*-===//
//
// What stands between the matrix products of a neural network: activations, and the
// modulation and gated sums by which a diffusion transformer conditions its layers
// (W. Peebles, S. Xie, Scalable Diffusion Models with Transformers, 2022).
//
// All matrices of one call have the same extents, vectors one element per column. Any
// strides; Y may be X.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

/// Y = the function of X; see common/activations.h.
void gelu(septran::tensor<float, 2> Y, septran::tensor<const float, 2> X);
void gelu_tanh(septran::tensor<float, 2> Y, septran::tensor<const float, 2> X);
void silu(septran::tensor<float, 2> Y, septran::tensor<const float, 2> X);

/// Y(i, j) = X(i, j) + gate(j) * H(i, j).
void residual(septran::tensor<float, 2> Y, septran::tensor<const float, 2> X,
              septran::tensor<const float, 2> H, septran::tensor<const float, 1> gate);

/// Y(i, j) = X(i, j) * (1 + scale(j)) + shift(j).
void modulate(septran::tensor<float, 2> Y, septran::tensor<const float, 2> X,
              septran::tensor<const float, 1> shift, septran::tensor<const float, 1> scale);
