//===- HoistScalars.h - what all lanes share is computed once ---*- C++ -*-===//
//
//   for (c) lanes (p): Y(c, p) = (X(c, p) - mean(c)) / sqrt(var(c) + e)
//
// What is read from memory may change by what a loop stores, as far as a C++ compiler knows, so it
// reads and computes it again for every vector. No two tensors share elements here. Scalars that
// are made of elements and that no iteration of a loop in lanes changes are computed before it, and
// before the loops directly around it which do not change them either:
//
//   for (c): mean_1 = mean(c); var_1 = sqrt(var(c) + e); lanes (p): Y(c, p) = (X(c, p) - mean_1) /
//   var_1
//
// Elements are read if the loop has iterations: otherwise there may be none. What is under a
// condition stays there.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"
#include "Plan/RegisterTiles.h"
#include "Plan/TensorTable.h"

namespace septran::compiler {

/// `Body` is that of a leaf, whose loops have been marked. Loops over tiles in registers stay as
/// they are.
void hoistScalars(Block &Body, const TensorTable &Tensors, const RegisterTiles &Tiles);

} // namespace septran::compiler
