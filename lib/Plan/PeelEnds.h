//===- PeelEnds.h - first and last iterations with other indices -*- C++ -*-===//
//
// In a periodic grid the neighbour of the first element is the last one:
//
//   U(i, j == 0 ? n - 1 : j - 1)   or   U(i, (j + n - 1) % n)
//
// A condition in an index that is decided otherwise in a few iterations at the end of a loop only
// is none between them. Those iterations are computed before and after the others, whose elements
// are then neighbours in memory and may be taken in lanes. So it is with elements that are read
// under a condition,
//
//   if (i > 0) sum += A(i) * x(i - 1)
//
// which lanes may not read where it does not hold. Where it begins or ends to hold may be known at
// run time only, such as in a block of a row.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"
#include "Plan/RegisterTiles.h"

namespace septran::compiler {

/// `Body` is that of a leaf. Loops over tiles in registers stay as they are.
void peelEnds(Block &Body, const RegisterTiles &Tiles);

} // namespace septran::compiler
