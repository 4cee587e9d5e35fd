//===- GuardWindows.h - reads beside a window's tensor ----------*- C++ -*-===//
//
// Where what a leaf reads outside a window's tensor changes what it computes, each read that may
// lie there decides:
//
//   for (x) Y(x) = X(x) + X(x + 2)              X a window that begins one element before T
//
// becomes a loop without decisions over what lies inside, with one over the rest on either side:
//
//   let first = max(0, 1); let end = min(n, T.extent(0) - 1);
//   for (x : 0 .. first) Y(x) = (0 <= x - 1 && ... ? X(x) : fill) + (... ? X(x + 2) : fill)
//   for (x : first .. end) lanes Y(x) = X(x) + X(x + 2)
//   for (x : end .. n) ...
//
// A nest over a register tile, whose iterations are written out, is not split: it exists once for
// where nothing lies outside, and once with such decisions.
//
// Dimensions that another loop moves in, such as rows, are decided on before the loop in the
// middle, for all of its iterations; those outside choose once per vector.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Affine.h"
#include "Plan/WindowReads.h"
#include "Support/Diagnostics.h"

namespace septran::compiler {

/// Guards what the leaf reads of windows. After loops have got their lanes. Known: of variables of the
/// program's loops.
void guardWindows(Block &Leaf, const WindowReads &Windows, const TensorTable &Tensors,
                  const Facts &Known, Diagnostics &D);

} // namespace septran::compiler
