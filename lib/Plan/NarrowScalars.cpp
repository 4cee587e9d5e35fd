//===- NarrowScalars.cpp - scalars as wide as what they are set to --------===//
#include "Plan/NarrowScalars.h"

#include "IR/Narrow.h"
#include "IR/Rewrite.h"

#include <map>
#include <optional>
#include <set>

namespace septran::compiler {

namespace {

/// What a scalar is set to.
struct Settings {
  std::vector<Expr> Values;
  bool Updated = false; ///< computed from what it was
};

/// Calls F for every number that E may be.
void forEachChoice(const Expr &E, llvm::function_ref<void(const Expr &)> F) {
  if (E->Kind != ExprKind::Select)
    return F(unconverted(E));
  forEachChoice(E->Args[1], F);
  forEachChoice(E->Args[2], F);
}

/// The type of all numbers that V is set to, if it is smaller than V's.
std::optional<ScalarType> smallerType(const VarRef &V, const Settings &Set) {
  if (!isInteger(V->Type) || byteSize(V->Type) < 8 || Set.Updated)
    return std::nullopt;
  std::optional<ScalarType> Type;
  bool One = true;
  auto ForAll = [&](llvm::function_ref<void(const Expr &)> F) {
    for (const Expr &Value : Set.Values)
      forEachChoice(Value, F);
  };
  ForAll([&](const Expr &E) {
    if (constantValue(E) || (E->Kind == ExprKind::Var && E->V == V))
      return;
    One &= !Type || *Type == E->Type;
    Type = E->Type;
  });
  if (!Type || !One || !isInteger(*Type) || byteSize(*Type) >= byteSize(V->Type) ||
      (isSigned(*Type) && !isSigned(V->Type)))
    return std::nullopt;
  ForAll([&](const Expr &E) {
    if (const std::optional<std::int64_t> Constant = constantValue(E))
      One &= holds(*Type, *Constant);
  });
  return One ? Type : std::nullopt;
}

/// E, whose choices are constants and numbers of that type, in it.
Expr inType(const Expr &E, ScalarType Type) {
  if (E->Kind == ExprKind::Select)
    return select(E->Args[0], inType(E->Args[1], Type), inType(E->Args[2], Type));
  const Expr Number = unconverted(E);
  const std::optional<std::int64_t> Constant = constantValue(Number);
  return Constant ? intLit(*Constant, Type) : Number;
}

bool narrowOne(Block &Body) {
  std::map<VarRef, Settings> All;
  std::vector<VarRef> Defined; // in their order
  walkStmts(Body, [&](const Stmt &S) {
    if (const auto *L = S.getIf<Let>(); L && L->Mutable) {
      Defined.push_back(L->V);
      if (L->Value)
        All[L->V].Values.push_back(L->Value);
    } else if (const auto *A = S.getIf<Assign>()) {
      All[A->V].Values.push_back(A->Value);
      All[A->V].Updated |= A->Op != UpdateOp::Set;
    }
  });
  for (const VarRef &V : Defined) {
    const std::optional<ScalarType> Type = smallerType(V, All[V]);
    if (!Type)
      continue;
    const VarRef Small = makeVar(V->Name, *Type, V->Kind, V->Loc);
    rewriteExprs(Body, [&](const Expr &E) -> Expr {
      return E->Kind == ExprKind::Var && E->V == V ? cast(V->Type, varExpr(Small)) : nullptr;
    });
    walkStmts(Body, [&](Stmt &S) {
      if (auto *L = S.getIf<Let>(); L && L->V == V) {
        L->V = Small;
        if (L->Value)
          L->Value = inType(L->Value, *Type);
      } else if (auto *A = S.getIf<Assign>(); A && A->V == V) {
        A->V = Small;
        A->Value = inType(A->Value, *Type);
      }
    });
    return true;
  }
  return false;
}

} // namespace

void narrowScalars(Block &Body) {
  while (narrowOne(Body)) // what is set to another one may follow
    ;
}

} // namespace septran::compiler
