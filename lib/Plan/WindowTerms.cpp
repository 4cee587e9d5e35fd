//===- WindowTerms.cpp - what reads outside add to a sum ------------------===//
#include "Plan/WindowTerms.h"

#include "IR/Rewrite.h"
#include "Plan/LeafForm.h"

#include <algorithm>
#include <cmath>

namespace septran::compiler {

namespace {

bool holds(const Expr &In, const Expr &E) {
  bool Found = false;
  walkExprs(In, [&](const Expr &N) { Found |= N == E; });
  return Found;
}

/// The logic says which number it is, or which one of several.
bool isFiniteNumber(const Expr &E) {
  switch (E->Kind) {
  case ExprKind::IntLit:
    return true;
  case ExprKind::FloatLit:
    return std::isfinite(E->Float);
  case ExprKind::Unary:
  case ExprKind::Cast:
    return isFiniteNumber(E->Args[0]);
  case ExprKind::Select:
    return isFiniteNumber(E->Args[1]) && isFiniteNumber(E->Args[2]);
  default:
    return false;
  }
}

} // namespace

bool addsNothing(UpdateOp Op, const Expr &Value, const Expr &E, const Expr &Fill) {
  if (Value == E)
    return isNeutral(Op == UpdateOp::Sub ? UpdateOp::Add : Op, Fill);
  if (Op != UpdateOp::Add && Op != UpdateOp::Sub)
    return false;
  if (Value->Kind == ExprKind::Cast || (Value->Kind == ExprKind::Unary && Value->Un == UnaryOp::Neg))
    return addsNothing(Op, Value->Args[0], E, Fill);
  if (Value->Kind == ExprKind::Binary && Value->Bin == BinaryOp::Mul)
    return std::any_of(Value->Args.begin(), Value->Args.end(), [&](const Expr &Factor) {
      return holds(Factor, E) && addsNothing(Op, Factor, E, Fill);
    });
  return false;
}

bool isFactor(const Expr &E, const Expr &Value) {
  if (Value == E)
    return false;
  return std::any_of(Value->Args.begin(), Value->Args.end(), [&](const Expr &Part) {
    return holds(Part, E) ? isFactor(E, Part) : !isFiniteNumber(Part);
  });
}

} // namespace septran::compiler
