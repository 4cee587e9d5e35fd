//===- ImpliedVariants.h - tasks that cut the loops of leaves ---*- C++ -*-===//
//
// A leaf that sums, `for i, j, k: C(i, j) += A(i, k) * B(k, j)`, is as good as its tiles. Where the
// logic has no variant that cuts its loops, the loops say how: every argument is partitioned along
// the dimensions that they walk. Sums in scalars become a tensor first (SplitLeaf.h).
//
//   task gemm_leaf_blocks of family gemm_leaf(C, A, B)
//     tunable tile_i, tile_j, tile_k, each by default the whole extent
//     for i, j of parallel(blocks of C), k of blocks of A:  gemm_leaf(C(i, j), A(i, k), B(k, j))
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Logic/TaskGraph.h"

namespace septran::compiler {

/// Adds such a task for each leaf that has no task of its signature in its family, if
///  - loops are nested directly in each other, from 0 to the extent of a dimension that they walk;
///  - their variables only select elements, always of the same dimensions, or positions from an
///    origin;
///  - some of them select what is written, others or loops further in do not, and not all of them
///    select everything that is read: so there is something to use again.
/// Elements see the leaf's iterations in the leaf's order.
void addImpliedVariants(TaskGraph &G);

} // namespace septran::compiler
