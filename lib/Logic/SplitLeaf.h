//===- SplitLeaf.h - a leaf as start, sum and finish ------------*- C++ -*-===//
//
// A sum in a scalar, `for i, j: { s = a; for k: s += x; y(i, j) = f(s); }`, is one element at a
// time. Kept in a local tensor, it is a tile that can live in registers:
//
//   task leaf_tile of family leaf(y, ...)
//     local s(extents of i, j)
//     leaf_start(s, ...)    for i, j: s(i, j) = a
//     leaf_sum(s, ...)      for i, j, k: s(i, j) += x
//     leaf_finish(y, s, ..) for i, j: y(i, j) = f(s(i, j))
//
// Loops with other bounds after each other, `for k: s += x; for l: s += z`, are leaf_sum_1,
// leaf_sum_2, ...
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Logic/TaskGraph.h"

#include <optional>
#include <vector>

namespace septran::compiler {

struct SplitLeaf {
  FunctionRef Tile;
  std::vector<FunctionRef> Leaves; ///< in the order of their launches: start, the sums, finish
};

/// None unless the leaf consists of fixed definitions (LoopsOfLeaf.h) and loops directly in each
/// other, all from 0 to an extent, around
///  - definitions of scalars;
///  - loops that only update some of them, each by operators that allow another order; those after
///  each other with
///    the same bounds become one;
///  - statements without loops, which alone write tensors, none that is read before them.
std::optional<SplitLeaf> splitLeaf(const FunctionRef &Leaf);

} // namespace septran::compiler
