//===- saxpy.h - y = a * x + y -----------------------------------*- C++ -*-===//
//
// x and y have the same extent, any strides, and do not overlap.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

void saxpy(septran::tensor<float, 1> y, float a, septran::tensor<const float, 1> x);
