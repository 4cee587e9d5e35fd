//===- LaneWidth.h - how many lanes a loop has ------------------*- C++ -*-===//
//
// As many as the widest number has in a vector of the machine that is read, written or computed from what is read:
// bytes whose differences are summed in 32 bits have as many lanes as those. With more a value would be several
// vectors, which not every C++ compiler keeps in registers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"

namespace septran::compiler {

/// Bytes of an element where it is computed with: small floats are computed in float.
unsigned computedBytes(ScalarType Type);

/// Bytes of the widest number that is computed in `Body` from elements of tensors, indices aside; 1 if there is
/// none.
unsigned widestComputed(const Block &Body);

} // namespace septran::compiler
