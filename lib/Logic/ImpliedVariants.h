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
// A leaf that computes other things from its loops' variables, `for o, x, r: Y(o, x) += W(o, r) *
// X(2 * x + r)`, becomes one that is told where its blocks begin, and takes whole what cannot be cut:
//
//   leaf conv_leaf_at(Y, W, X, first_x)
//     for o, x, r: Y(o, x) += W(o, r) * X(2 * (first_x + x) + r)
//   task conv_leaf_blocks of family conv_leaf(Y, W, X)
//     for o, x of parallel(blocks of Y):  conv_leaf_at(Y(o, x), W(o), X, x * tile_x)
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Logic/TaskGraph.h"

namespace septran::compiler {

/// Adds such a task for each leaf that has no task of its signature in its family, if
///  - loops are nested directly in each other, and walk dimensions: from end to end, or what lies between
///    bounds that the leaf does not change;
///  - some of them select what is written, others or loops further in do not, and not all of them
///    select everything that is read: so there is something to use again. Or a task launches the
///    leaf outside parallel loops, and its blocks are independent.
/// Elements see the leaf's iterations in the leaf's order.
void addImpliedVariants(TaskGraph &G);

} // namespace septran::compiler
