//===- ArgumentSizes.h - windows, strides and extents -----------*- C++ -*-===//
//
// A result whose elements each read a few neighbours, such as a convolution, indexes what it reads by the
// sum of two loop variables: one counts elements of the result, the other one goes over the window. How
// many these are is an extent of a third tensor, the kernel, or a number from the caller, and small
// against the others. So are factors of loop variables in an index: strides and dilations.
//
// A number from the caller that ends a loop over the elements of a tensor is like an extent.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Derive/Nominal.h"

namespace septran::compiler {

/// `P` has been through the passes up to `allocate`.
ArgumentSizes argumentSizes(const Program &P);

} // namespace septran::compiler
