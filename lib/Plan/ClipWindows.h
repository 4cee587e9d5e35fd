//===- ClipWindows.h - windows that are read in place -----------*- C++ -*-===//
//
// A window with halos that is not copied has no elements outside its tensor. Where a leaf adds up
// what it reads there, the fill value adds nothing:
//
//   for (x) for (s) Y(x) += X(x + s) * W(s)     X a window that begins one element before T
//
// becomes, for terms of which none is left that lies outside,
//
//   for (x) for (s : max(0, 1 - x) .. min(3, T.extent(0) + 1 - x)) Y(x) += X(x + s) * W(s)
//
// The innermost loop that moves the access is the one that is clipped. A loop over a register tile
// is unrolled, so its part is named before the loops inside which it stays the same; code for the
// usual parts, whose ends are constants, is the emitter's business:
//
//   for (s) { let first = max(0, 1 - s); let last = min(6, ...);
//             for (c) for (x : first .. last) unrolled trip 6 { ... } }
//
// Where the numbers of iterations are constants but for those over tiles, such as those of a kernel
// of known size, code for what nothing clips comes first: its loops can be unrolled.
//
// The fill must be what the update does not change by: 0 of a sum, -infinity of a maximum; or 0 as
// a factor of a term of a sum, whose other factors are finite numbers, or taken to be, as `clip` in
// a mapping says. Where it does not (`in_place`), loops over a register tile keep their iterations,
// and what lies outside is the fill:
//
//   for (r) if (0 <= r - 1 && r - 1 < T.extent(0))
//             for (s) { let first = max(0, 1 - s); let last = min(6, ...);
//                       for (c) for (x) unrolled trip 6
//                                 Y(x, c) += (first <= x && x < last ? X(r, x + s, c) : 0) * W(r,
//                                 s, c) }
//           else for (s) for (c) for (x) Y(x, c) += 0 * W(r, s, c)
//
// Reads of other leaves are guarded: GuardWindows.h.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"

namespace septran::compiler {

/// F is over the part of a register tile between two variables, which the block that they change in
/// begins with.
inline bool isPart(const For &F) {
  return F.Exec == LoopExec::Unrolled && F.StaticTrip && F.Lo->Kind == ExprKind::Var &&
         F.Hi->Kind == ExprKind::Var;
}

/// F is over a register tile, and for the part of it between two variables, which the block that
/// they change in begins with, it reads what others do not.
bool decidesBetween(const For &F, const VarRef &First, const VarRef &End);

/// For windows that the mapping reads in place. After loops have got their lanes and are unrolled;
/// register tiles are not yet split into whole and clipped ones.
void clipWindows(Program &P, Diagnostics &D);

} // namespace septran::compiler
