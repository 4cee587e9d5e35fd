//===- activations.h - activation functions of neural networks --*- C++ -*-===//
//
// Functions of one number, for leaves:
//
//   gelu       x * Phi(x), Phi the normal distribution (D. Hendrycks, K. Gimpel, Gaussian
//              Error Linear Units, 2016)
//   gelu_tanh  its approximation by tanh, from the same paper
//   silu       x / (1 + exp(-x)), also called swish
//
// A leaf takes the function as a template argument, so that one leaf and one mapping serve
// all of them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cmath>

enum class activation { gelu, gelu_tanh, silu };

template <activation Which> inline float activate(float x) {
  if constexpr (Which == activation::gelu)
    return 0.5f * x * (1.0f + std::erf(x * 0.70710678f));
  else if constexpr (Which == activation::gelu_tanh)
    return 0.5f * x * (1.0f + std::tanh(0.79788456f * (x + 0.044715f * x * x * x)));
  else
    return x / (1.0f + std::exp(-x));
}
