//===- Canonical.cpp - one form for what is written in several ways -------===//
#include "IR/Canonical.h"

#include <utility>

namespace septran::compiler {

namespace {

bool isWideInteger(ScalarType T) { return isInteger(T) && byteSize(T) >= 4; }

bool isIndexArithmetic(BinaryOp Op) {
  switch (Op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
  case BinaryOp::Mul:
  case BinaryOp::Div:
  case BinaryOp::Rem:
  case BinaryOp::Min:
  case BinaryOp::Max:
  case BinaryOp::CeilDiv:
    return true;
  default:
    return false;
  }
}

} // namespace

Expr toIndex(const Expr &E) {
  if (!isWideInteger(E->Type))
    return E;
  auto In64 = [&](Expr Result) { return withLocation(Result, E->Loc); };
  switch (E->Kind) {
  case ExprKind::IntLit:
    return In64(intLit(E->Int));
  case ExprKind::Cast:
    return isWideInteger(E->Args[0]->Type) ? toIndex(E->Args[0]) : E;
  case ExprKind::Binary:
    if (!isIndexArithmetic(E->Bin))
      return E;
    return In64(binary(E->Bin, toIndex(E->Args[0]), toIndex(E->Args[1]), ScalarType::I64));
  case ExprKind::Unary:
    return E->Un == UnaryOp::Neg ? In64(unary(UnaryOp::Neg, toIndex(E->Args[0]))) : E;
  case ExprKind::Select:
    return In64(selectOrMinMax(E->Args[0], toIndex(E->Args[1]), toIndex(E->Args[2])));
  default:
    return E;
  }
}

bool isArithmeticOn(ScalarType Type, const Expr &E) {
  bool Only = true;
  walkExprs(E,
            [&](const Expr &Part) { Only &= Part->Type == Type && Part->Kind != ExprKind::Cast; });
  return Only;
}

Expr selectOrMinMax(const Expr &Condition, const Expr &Then, const Expr &Else) {
  if (Condition->Kind != ExprKind::Binary || Then->Type != Else->Type)
    return select(Condition, Then, Else);
  // As `Small < Large`, which is the test inside std::min and std::max.
  Expr Small = Condition->Args[0], Large = Condition->Args[1];
  bool Less = Condition->Bin == BinaryOp::Lt;
  if (Condition->Bin == BinaryOp::Gt) {
    std::swap(Small, Large);
    Less = true;
  } else if (!isFloat(Small->Type)) { // for numbers without NaN and -0, <= does as well
    if (Condition->Bin == BinaryOp::Ge)
      std::swap(Small, Large);
    Less |= Condition->Bin == BinaryOp::Le || Condition->Bin == BinaryOp::Ge;
  }
  if (Less && equal(Then, Large) && equal(Else, Small))
    return binary(BinaryOp::Max, Small, Large, Then->Type);
  if (Less && equal(Then, Small) && equal(Else, Large))
    return binary(BinaryOp::Min, Large, Small, Then->Type);
  return select(Condition, Then, Else);
}

} // namespace septran::compiler
