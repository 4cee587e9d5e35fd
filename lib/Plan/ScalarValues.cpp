//===- ScalarValues.cpp - extents and scalars, spelled out ----------------===//
#include "Plan/ScalarValues.h"

#include "IR/Rewrite.h"
#include "Plan/RegisterTiles.h"

namespace septran::compiler {

ScalarValues::ScalarValues(const Block &B) : Tensors(B) {
  walkStmts(B, [this](const Stmt &S) {
    if (const auto *L = S.getIf<Let>(); L && !L->Mutable && L->Value && !L->V->Most)
      Values[L->V] = L->Value;
  });
}

Expr ScalarValues::expand(const Expr &E) const {
  return rewriteExpr(expandExtents(E, Tensors), [this](const Expr &N) -> Expr {
    if (N->Kind != ExprKind::Var)
      return nullptr;
    auto It = Values.find(N->V);
    return It == Values.end() ? nullptr : expand(It->second);
  });
}

std::optional<std::int64_t> plannedBound(const Expr &E, const Facts &Known) {
  std::map<VarRef, VarRef> Wide; // one stand-in per variable: x - x stays 0
  Expr Untyped = rewriteExpr(E, [&](const Expr &N) -> Expr {
    if (N->Kind == ExprKind::Cast && isInteger(N->Type) && isInteger(N->Args[0]->Type))
      return N->Args[0];
    if (N->Kind != ExprKind::Var || !isInteger(N->Type) || Known.count(N->V))
      return nullptr;
    VarRef &Stand = Wide[N->V];
    if (!Stand) {
      Var Any = *N->V;
      Any.Type = ScalarType::I64;
      Stand = std::make_shared<const Var>(std::move(Any));
    }
    return varExpr(Stand);
  });
  return upperBound(Untyped, Known);
}

} // namespace septran::compiler
