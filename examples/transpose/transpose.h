//===- transpose.h - a matrix with rows and columns exchanged ---*- C++ -*-===//
//
// Y(j, i) = X(i, j). Any strides; Y and X share no element.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

void transpose(septran::tensor<float, 2> Y, septran::tensor<const float, 2> X);
