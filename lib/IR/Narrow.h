//===- Narrow.h - sums in the width that is kept of them --------*- C++ -*-===//
//
// C++ computes small integers as int. Where only the low bits of the result are kept, sums, differences
// and bitwise operations give the same in that width: std::uint8_t(a + 128) for a byte a. In lanes
// that is a quarter of the registers, and no conversions.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Expr.h"

namespace septran::compiler {

/// A cast of integers as one whose operand is computed in the result's width, without sign; a
/// comparison as one of the type that its operands were converted from. Null if E is neither, or
/// has nothing to compute so.
Expr narrowed(const Expr &E);

/// The number before conversions between integers that leave it what it is.
Expr unconverted(const Expr &E);
/// Whether it is a number of that integer type.
bool holds(ScalarType Type, std::int64_t Value);

} // namespace septran::compiler
