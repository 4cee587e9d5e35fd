//===- Fold.h - what the builders of integer expressions simplify -*- C++ -*-===//
//
// The builders in Expr.h ask here first. Rules look at the top of an expression
// only, hold for every value that makes the unfolded form defined, and never
// touch floating-point arithmetic (folding would change rounding, NaN or the sign
// of zero). The result puts constants to the right and writes `x - 3`, not `x + -3`.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Expr.h"

namespace septran::compiler {

/// The simpler form of `Op A`, or null.
Expr foldUnary(UnaryOp Op, const Expr &A);

/// The simpler form of `A Op B`, whose type is Type, or null.
Expr foldBinary(BinaryOp Op, const Expr &A, const Expr &B, ScalarType Type);

/// Value of an operation on integer constants; none if it is undefined, overflows 64 bits or, for
/// Shl and Shr, shifts by less than 0 or more than 62.
std::optional<std::int64_t> evaluate(BinaryOp Op, std::int64_t A, std::int64_t B);

} // namespace septran::compiler
