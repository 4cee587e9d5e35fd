//===- Canonical.h - one form for what is written in several ways -*- C++ -*-===//
//
// Logic and the semantics of primitives are compared node by node: both are brought to these forms
// when they are read.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Expr.h"

namespace septran::compiler {

/// An expression in the domain of indices and extents: integer conversions are dropped and
/// arithmetic is done in 64 bits. Right wherever the C++ does not overflow, which for indices of
/// elements that exist it may not.
Expr toIndex(const Expr &E);

/// E computes with nothing but numbers of that type. What is made of ints alone is the same number
/// as an index, or has none.
bool isArithmeticOn(ScalarType Type, const Expr &E);

/// `Condition ? Then : Else`, or the min or max that it is exactly.
Expr selectOrMinMax(const Expr &Condition, const Expr &Then, const Expr &Else);

} // namespace septran::compiler
