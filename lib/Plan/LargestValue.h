//===- LargestValue.h - what an index may reach over loops ------*- C++ -*-===//
//
// Upper bounds of an index without the variables of the loops around it, as expressions over what
// is left. Nothing is proven: where an index falls or grows is what its form says, and extents and
// loop variables are not negative.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Expr.h"
#include "IR/Stmt.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace septran::compiler {

/// What E is the minimum of, however deep in a sum: `min(a, b) - c` is min(a - c, b - c).
std::vector<Expr> operandsOfMin(const Expr &E);

/// Upper bounds of E: variables of `Loops`, outermost first, are replaced, innermost first, by the
/// ends of their loops, of which `Rooted` says what they are. Where E or such an end is a minimum
/// each of its operands is one.
std::vector<Expr> largestOver(const Expr &E, llvm::ArrayRef<const For *> Loops,
                              llvm::function_ref<Expr(const Expr &)> Rooted);

/// The closest of several bounds of one index, null of none. Those that count whole blocks are
/// rougher than one that follows the clipped last block.
Expr closestBound(std::vector<Expr> Bounds);

} // namespace septran::compiler
