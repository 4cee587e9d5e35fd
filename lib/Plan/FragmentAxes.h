//===- FragmentAxes.h - tiles of matrix instructions among warps -*- C++ -*-===//
//
// Where leaves are bound to matrix instructions, these decide which thread holds what. The elements
// of one tile lie as the operand's fragment says; the tiles along a dimension go, in blocks, to the
// warps. An axis (ThreadAxes.h) thus has the digits
//
//   those of the fragments that lie along it   [8@4, 2]     all operands on the axis must agree
//   tiles of one warp, one after the other     [.., 4]
//   warps                                      [.., 2@32]
//
// The same loop of a leaf may walk axes whose fragments differ, as columns of C and of B do. Such
// axes form a group: their tiles go to the same warps, in the same steps.
//
// Warps are given to groups such that a warp issues the fewest instructions, and then loads the
// fewest elements; a group along which something is summed gets none.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/FragmentUses.h"
#include "Plan/ThreadAxes.h"

namespace septran::compiler {

/// Divides the axes that the operands of Uses lie on. Each use runs on `Processors` processors of
/// `Threads` threads, the primitive's.
void divideFragments(const std::vector<FragmentUse> &Uses, std::int64_t Threads,
                     std::int64_t Processors, ThreadAxes &Axes, const RegisterTiles &Tiles,
                     Diagnostics &D);

/// The digits of an operand's dimension within those of its axis: register digits count the
/// fragment's registers. Parts begins with the digits of F.
Digits countRegisters(const Digits &F, const Digits &Parts);

} // namespace septran::compiler
