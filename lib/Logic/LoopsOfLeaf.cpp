//===- LoopsOfLeaf.cpp - the outer loops of a leaf ------------------------===//
#include "Logic/LoopsOfLeaf.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"

#include <algorithm>
#include <set>
#include <utility>

namespace septran::compiler {

Expr onlyTerm(const Expr &E) {
  const std::optional<Affine> A = affineForm(E);
  const bool IsTerm = A && A->Terms.size() == 1 && A->Constant == 0 && A->Terms[0].second == 1;
  return IsTerm ? A->Terms[0].first : nullptr;
}

std::optional<Dimension> LoopsOfLeaf::Loop::whole() const {
  const Expr End = isConstant(Lo, 0) ? onlyTerm(Hi) : nullptr;
  if (!End || End->Kind != ExprKind::Extent)
    return std::nullopt;
  return Dimension{End->T, End->Dim};
}

namespace {

bool loads(const Expr &E) {
  bool Found = false;
  walkExprs(E, [&](const Expr &Part) { Found |= Part->Kind == ExprKind::Load; });
  return Found;
}

} // namespace

bool isFixed(const Let &Definition) {
  return !Definition.Mutable && Definition.Value && !loads(Definition.Value);
}

bool assignsOutside(const Block &B) {
  std::set<VarRef> Own;
  bool Found = false;
  walkStmts(B, [&](const Stmt &S) {
    if (const auto *L = S.getIf<Let>())
      Own.insert(L->V);
    if (const auto *A = S.getIf<Assign>())
      Found |= Own.count(A->V) == 0;
  });
  return Found;
}

LoopsOfLeaf::LoopsOfLeaf(const Block &Body) {
  auto First = Body.begin();
  Substitution Values;
  for (; First != Body.end(); ++First) {
    const auto *Definition = First->getIf<Let>();
    if (!Definition || !isFixed(*Definition))
      break;
    Values.Vars[Definition->V] = substitute(Definition->Value, Values);
  }
  auto isBound = [&](const Expr &E) {
    return !loads(E) && std::none_of(Loops.begin(), Loops.end(),
                                     [&](const Loop &Outer) { return mentions(E, Outer.V); });
  };
  Definitions.assign(Body.begin(), First);
  Inner.assign(First, Body.end());
  while (Inner.size() == 1) {
    const auto *F = Inner.front().getIf<For>();
    if (!F || F->Step != 1 || !isBound(F->Lo) || !isBound(F->Hi))
      break;
    Loops.push_back({F->V, substitute(F->Lo, Values), substitute(F->Hi, Values), F->Kind, F->Group,
                     Inner.front().Loc});
    Inner = Block(F->Body);
  }
  if (assignsOutside(Inner)) {
    Loops.clear();
    Inner = Block(First, Body.end());
  }
}

Block around(const std::vector<LoopsOfLeaf::Loop> &Loops, Block Body) {
  for (auto L = Loops.rbegin(); L != Loops.rend(); ++L) {
    For F;
    F.V = L->V;
    F.Lo = L->Lo;
    F.Hi = L->Hi;
    F.Kind = L->Kind;
    F.Group = L->Group;
    F.Body = std::exchange(Body, {});
    Body.push_back({std::move(F), L->Loc});
  }
  return Body;
}

} // namespace septran::compiler
