//===- LeafValue.h - element values without what C++ leaves unsaid -*- C++ -*-===//
//
// Two values that C++ computes alike, whatever was written, get the same expression here: operands
// are converted to the type of their operation, conversions that change nothing vanish, indices are
// simplified, and signs stand outside products. Nothing that could change rounding is touched.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Expr.h"

namespace septran::compiler {

/// Every value of From is one of To.
bool holdsExactly(ScalarType To, ScalarType From);

/// E as a value of Type. Looks through conversions that lose nothing: `f64(f32(x))` of a 16-bit x
/// is `f64(x)`.
Expr valueAs(ScalarType Type, const Expr &E);

/// The normal form of E as a value of Type.
Expr normalValue(ScalarType Type, const Expr &E);

} // namespace septran::compiler
