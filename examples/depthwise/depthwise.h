//===- depthwise.h - convolution of every channel by itself -----*- C++ -*-===//
//
//   Y  images x height x width x channels
//   X  images x input height x input width x channels
//   W  kernel height x kernel width x channels
//
// Stride 1, and `pad` zeros on every side of X: the height of Y is the input height +
// 2 * pad - kernel height + 1, the width likewise. Kernels have an element at least. Any
// strides; Y overlaps neither X nor W.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

void depthwise(septran::tensor<float, 4> Y, septran::tensor<const float, 4> X,
               septran::tensor<const float, 3> W, int pad);
