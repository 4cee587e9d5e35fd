//===- dot.h - scalar product ------------------------------------*- C++ -*-===//
//
// result(0) = sum over i of x(i) * y(i), summed in double precision. x and y have the
// same extent and any strides; `result` has one element.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

void dot(septran::tensor<float, 1> result, septran::tensor<const float, 1> x,
         septran::tensor<const float, 1> y);
