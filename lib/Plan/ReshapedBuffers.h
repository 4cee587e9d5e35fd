//===- ReshapedBuffers.h - buffers whose elements have no gaps --*- C++ -*-===//
//
// A reshaped view goes through the elements of its base in row order, one behind the other. A buffer
// that is the base of one has no gaps, whatever a bound of its extents would allow.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/TensorTable.h"

#include <set>

namespace septran::compiler {

/// Roots of which the block, whose table that is, has reshaped views.
std::set<TensorRef> reshapedRoots(const Block &B, const TensorTable &Tensors);

} // namespace septran::compiler
