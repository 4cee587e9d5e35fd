//===- batched.h - many matrix products of one shape ------------*- C++ -*-===//
//
// C(b) = A(b) * B(b) for every b: A is batch x M x K, B batch x K x N, C batch x M x N.
// Any strides; a stride of 0 along the batch of A or B lets all products share one. C
// overlaps neither A nor B.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

void batched(septran::tensor<float, 3> C, septran::tensor<const float, 3> A,
             septran::tensor<const float, 3> B);
