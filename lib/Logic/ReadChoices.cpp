//===- ReadChoices.cpp - values of which one is computed ------------*- C++ -*-===//
//
// `c ? a : b`, `c && a`, and what functions return under conditions. In a leaf one of the two may
// take statements, those of a function that it calls. Then an `if` computes the value, as lazily as
// C++ does:
//
//   y = c ? f(x) : 0      var chosen; if (c) { ...; chosen = ... } else { chosen = 0 }; y = chosen
//
//===----------------------------------------------------------------------===//
#include "IR/Canonical.h"
#include "Logic/ExprReader.h"

#include "llvm/Support/SaveAndRestore.h"

#include <iterator>
#include <utility>

using namespace clang;

namespace septran::compiler {

ExprReader::Arm ExprReader::arm(llvm::function_ref<Expr()> Read) {
  Arm Result;
  Conditionally OneWay(*this);
  llvm::SaveAndRestore Ahead(Current, InLeaf ? &Result.Before : Current);
  Result.Value = Read();
  return Result;
}

/// Null if reading an arm failed.
Expr ExprReader::choice(const Expr &Condition, Arm Then, Arm Else) {
  if (!Then.Value || !Else.Value)
    return nullptr;
  if (Then.Before.empty() && Else.Before.empty())
    return selectOrMinMax(Condition, Then.Value, Else.Value);
  if (std::optional<std::int64_t> Known = constantValue(Condition)) {
    Arm &Taken = *Known ? Then : Else;
    std::move(Taken.Before.begin(), Taken.Before.end(), std::back_inserter(*Current));
    return Taken.Value;
  }
  const ScalarType Type = select(Condition, Then.Value, Else.Value)->Type;
  VarRef V = makeVar("chosen", Type, VarKind::Scalar, Condition->Loc);
  auto Setting = [&](Arm &A) {
    A.Before.push_back({Assign{V, UpdateOp::Set, cast(Type, A.Value)}, V->Loc});
    return std::move(A.Before);
  };
  Current->push_back({Let{V, nullptr, /*Mutable=*/true}, V->Loc});
  Current->push_back({If{Condition, Setting(Then), Setting(Else)}, V->Loc});
  return varExpr(V);
}

Expr ExprReader::conditional(const ConditionalOperator *E) {
  Expr Condition = scalar(E->getCond());
  if (!Condition)
    return nullptr;
  Arm Then = arm([&] { return scalar(E->getTrueExpr()); });
  if (!Then.Value)
    return nullptr;
  return choice(Condition, std::move(Then), arm([&] { return scalar(E->getFalseExpr()); }));
}

/// `a && b`, `a || b`.
Expr ExprReader::logical(BinaryOp Op, const BinaryOperator *E) {
  Expr L = scalar(E->getLHS());
  Arm R = L ? arm([&] { return scalar(E->getRHS()); }) : Arm();
  if (!R.Value)
    return nullptr;
  if (R.Before.empty())
    return binary(Op, L, R.Value, *scalarTypeOf(E->getType()));
  Arm Short{{}, boolLit(Op == BinaryOp::Or)};
  return Op == BinaryOp::And ? choice(L, std::move(R), std::move(Short))
                             : choice(L, std::move(Short), std::move(R));
}

} // namespace septran::compiler
