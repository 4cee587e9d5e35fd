//===- conv2d.h - two-dimensional convolution -------------------*- C++ -*-===//
//
//   Y(n, y, x, o) = sum over r, s, c of X(n, y * stride + r - pad, x * stride + s - pad, c)
//                                       * W(r, s, c, o)
//
// where X is zero outside its extents (cross-correlation, as in neural networks).
//
//   Y   images x output rows x output columns x output channels     (NHWC)
//   X   images x rows x columns x channels                          (NHWC)
//   W   kernel rows x kernel columns x channels x output channels   (HWCO)
//
// W is constant: mapped programs keep what they make of it, if the caller does.
//
// Output extent = (extent + 2 * pad - kernel) / stride + 1, and at least one row of
// W lies on X everywhere: 0 <= 2 * pad < kernel. Any strides in memory; Y overlaps no
// other argument.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/constant.h>
#include <septran/septran.h>

/// Kernel 3 x 3, stride 1, pad 1: Y has the extents of X.
void conv2d_3x3(septran::tensor<float, 4> Y, septran::tensor<const float, 4> X,
                septran::constant<float, 4> W);

/// The same by Winograd's method: fewer multiplications, and rounding errors that are larger
/// (winograd.h).
void conv2d_3x3_winograd(septran::tensor<float, 4> Y, septran::tensor<const float, 4> X,
                         septran::constant<float, 4> W);

/// Any kernel, stride >= 1 and 0 <= 2 * pad < kernel, in both directions alike.
void conv2d(septran::tensor<float, 4> Y, septran::tensor<const float, 4> X,
            septran::constant<float, 4> W, int stride, int pad);
