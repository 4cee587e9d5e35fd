//===- TileConditions.h - conditions around sums in registers ---*- C++ -*-===//
//
// Whether taps of a convolution lie inside the input is asked outside of the loop that sums:
//
//   for (t) for (o) for (r) if (0 <= t + r - 1 && t + r - 1 < n) for (c) C(t, o) += ...
//
// Rows and lanes of a tile run inside all other loops, so that the condition has to go further in
// first. Then it is asked as far out as its variables are known: of a tile's rows all at once,
// where no row may fail it if the first and the last do not.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"
#include "Plan/RegisterTiles.h"

namespace septran::compiler {

/// `if (c) for (...) S` becomes `for (...) if (c) S` where S writes a tile.
void sinkConditions(Block &Body, const TensorTable &Tensors, const RegisterTiles &Tiles);

/// The condition of an innermost body leaves the loops that it does not name, once tiles are
/// unrolled.
void liftConditions(Block &Body, const TensorTable &Tensors);

} // namespace septran::compiler
