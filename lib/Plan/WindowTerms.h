//===- WindowTerms.h - what reads outside add to a sum ----------*- C++ -*-===//
//
// Of a window that is read in place, what lies outside its tensor is the fill. Whether an update can do
// without it follows from where it stands in the update's value.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"

namespace septran::compiler {

/// The update is what it would be without E, whose value is Fill: the fill is neutral, or the factor 0 of a
/// term, if the others are finite.
bool addsNothing(UpdateOp Op, const Expr &Value, const Expr &E, const Expr &Fill);

/// E is multiplied by what may not be finite, where Value is all that a sum takes from it. Numbers that the
/// logic says are.
bool isFactor(const Expr &E, const Expr &Value);

} // namespace septran::compiler
