//===- Stmt.cpp - statements ------------------------------------*- C++ -*-===//
#include "IR/Stmt.h"

namespace septran::compiler {

bool isReduction(UpdateOp Op) { return Op != UpdateOp::Set && Op != UpdateOp::Div; }

std::string_view spelling(Stage::Kind K) {
  constexpr std::string_view Names[] = {"acquire", "commit", "wait", "release"};
  return Names[static_cast<int>(K)];
}

std::string_view spelling(UpdateOp Op) {
  switch (Op) {
  case UpdateOp::Set:
    return "=";
  case UpdateOp::Add:
    return "+=";
  case UpdateOp::Sub:
    return "-=";
  case UpdateOp::Mul:
    return "*=";
  case UpdateOp::Div:
    return "/=";
  case UpdateOp::Min:
    return "min=";
  case UpdateOp::Max:
    return "max=";
  }
  return "=";
}

std::optional<BinaryOp> combiningOp(UpdateOp Op) {
  switch (Op) {
  case UpdateOp::Set:
    return std::nullopt;
  case UpdateOp::Add:
    return BinaryOp::Add;
  case UpdateOp::Sub:
    return BinaryOp::Sub;
  case UpdateOp::Mul:
    return BinaryOp::Mul;
  case UpdateOp::Div:
    return BinaryOp::Div;
  case UpdateOp::Min:
    return BinaryOp::Min;
  case UpdateOp::Max:
    return BinaryOp::Max;
  }
  return std::nullopt;
}

namespace {

std::optional<UpdateOp> updateOf(BinaryOp Op) {
  for (UpdateOp U :
       {UpdateOp::Add, UpdateOp::Sub, UpdateOp::Mul, UpdateOp::Div, UpdateOp::Min, UpdateOp::Max})
    if (combiningOp(U) == Op)
      return U;
  return std::nullopt;
}

/// a op b == b op a for every value, NaN and signed zeros included.
bool commutes(BinaryOp Op, ScalarType Type) {
  switch (Op) {
  case BinaryOp::Add:
  case BinaryOp::Mul:
    return true;
  case BinaryOp::Min:
  case BinaryOp::Max:
    return !isFloat(Type);
  default:
    return false;
  }
}

/// E without a conversion to Type around it.
const Expr &withoutCast(const Expr &E, ScalarType Type) {
  return E->Kind == ExprKind::Cast && E->Type == Type ? E->Args[0] : E;
}

} // namespace

Update asUpdate(const Expr &Target, const Expr &Value) {
  const Update Plain = {UpdateOp::Set, Value};
  const Expr &Body = withoutCast(Value, Target->Type);
  if (Body->Kind != ExprKind::Binary)
    return Plain;
  std::optional<UpdateOp> Op = updateOf(Body->Bin);
  if (!Op)
    return Plain;
  // `x op= e` computes in the common type of x and e, and converts once, at the end.
  auto combines = [&](const Expr &Old, const Expr &Operand) {
    return equal(withoutCast(Old, Body->Type), Target) &&
           (Body->Type == Target->Type || Body->Type == commonType(Target->Type, Operand->Type));
  };
  if (combines(Body->Args[0], Body->Args[1]))
    return {*Op, Body->Args[1]};
  if (commutes(Body->Bin, Body->Type) && combines(Body->Args[1], Body->Args[0]))
    return {*Op, Body->Args[0]};
  return Plain;
}

} // namespace septran::compiler
