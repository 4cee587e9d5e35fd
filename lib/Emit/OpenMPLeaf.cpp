//===- OpenMPLeaf.cpp - element code, one element at a time ---------------===//
//
// Inside a clipped register tile, loops run their full constant trip count so that they unroll. The
// iterations beyond the tile compute on whatever a clamped index reads and are never stored: loads
// from memory clamp guarded variables, stores to memory and updates that several iterations share
// are guarded by a condition. So is what decides by a guarded variable which elements are accessed.
//
//===----------------------------------------------------------------------===//
#include "Emit/OpenMPEmitter.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"

#include <algorithm>

namespace septran::compiler {

Expr OpenMPEmitter::clampedValue(const Expr &E) const {
  if (Guards.empty() || E->Kind == ExprKind::Load) // the element that is read is chosen when it is
    return E;
  if (E->Kind == ExprKind::Var)
    for (const auto &[V, Limit] : Guards)
      if (V == E->V)
        return minExpr(varExpr(V), Limit - intLit(1));
  std::vector<Expr> Args;
  for (const Expr &Arg : E->Args)
    Args.push_back(clampedValue(Arg));
  return Args == E->Args ? E : withOperands(E, std::move(Args));
}

std::vector<Expr> OpenMPEmitter::clamped(std::vector<Expr> Indices) const {
  for (Expr &I : Indices)
    I = clampedValue(I);
  return Indices;
}

/// Each guarded variable that counts stays below its limit; null if none counts.
Expr OpenMPEmitter::allInside(llvm::function_ref<bool(const VarRef &)> Counts) const {
  Expr Condition;
  for (const auto &[V, Limit] : Guards) {
    if (!Counts(V))
      continue;
    Expr Inside = binary(BinaryOp::Lt, varExpr(V), Limit);
    Condition = Condition ? binary(BinaryOp::And, Condition, Inside) : Inside;
  }
  return Condition;
}

Expr OpenMPEmitter::guardOf(const std::vector<Expr> &Indices, bool IsTile) const {
  return allInside([&](const VarRef &V) {
    // In a tile, every iteration that an index names has an element of its own.
    return !IsTile || std::none_of(Indices.begin(), Indices.end(),
                                   [&](const Expr &I) { return mentions(I, V); });
  });
}

namespace {

/// Adds the variables that decide which elements the statement accesses, other than by their indices.
void collectDeciding(const Stmt &S, std::set<VarRef> &Vars) {
  auto add = [&](const Expr &E) {
    for (const VarRef &V : collectVars(E))
      Vars.insert(V);
  };
  if (const auto *I = S.getIf<If>()) {
    add(I->Condition);
  } else if (const auto *F = S.getIf<For>()) {
    add(F->Lo);
    add(F->Hi);
  }
  forEachExpr(S, [&](const Expr &E) {
    walkExprs(E, [&](const Expr &Part) {
      bool Loads = false;
      if (Part->Kind == ExprKind::Select)
        walkExprs(Part, [&](const Expr &In) { Loads |= In->Kind == ExprKind::Load; });
      if (Loads)
        add(Part->Args[0]);
    });
  });
}

} // namespace

Expr OpenMPEmitter::guardOfDecision(const Stmt &S) const {
  if (Guards.empty() || S.getIf<Let>()) // what follows needs the scalar
    return nullptr;
  std::set<VarRef> Deciding;
  collectDeciding(S, Deciding);
  return allInside([&](const VarRef &V) { return Deciding.count(V) != 0; });
}

bool OpenMPEmitter::emitGuarded(const Stmt &S, llvm::function_ref<void(const Stmt &)> Emit) {
  const Expr Guard = guardOfDecision(S);
  if (!Guard)
    return false;
  const Unguarded Free(*this, Guard);
  if (const auto *I = S.getIf<If>();
      I && I->Else.empty() && !(Lanes && variesInLanes(I->Condition))) {
    Emit({If{binary(BinaryOp::And, Guard, I->Condition), I->Then, {}}, S.Loc});
    return true;
  }
  W.open(Free.Prefix.substr(0, Free.Prefix.size() - 1));
  Emit(S);
  W.close();
  return true;
}

Let OpenMPEmitter::clampedLet(const Let &L) {
  std::set<VarRef> &Around = GuardsAround[L.V];
  for (const auto &[V, Limit] : Guards)
    Around.insert(V);
  return L.Value ? Let{L.V, clampedValue(L.Value), L.Mutable} : L;
}

OpenMPEmitter::Unguarded::Unguarded(OpenMPEmitter &E, const Expr &Condition)
    : Emitter(E), Saved(E.Guards) {
  if (!Condition)
    return;
  Prefix = "if (" + E.text(Condition) + ")\n";
  std::erase_if(E.Guards, [&](const auto &G) { return mentions(Condition, G.first); });
}

void OpenMPEmitter::emitStore(const Store &S) {
  const Storage &To = storageFor(S.T);
  const Unguarded Free(*this, guardOf(S.Indices, To.IsTile));
  std::string Target = To.IsTile ? tileElement(To, S.Indices) : elementText(To, S.Indices);
  std::string Value = text(S.Value);
  if (S.Value->Type != S.T->Element && isSmallFloat(S.T->Element))
    Value = std::string(cxxName(S.T->Element)) + "(" + Value + ")";
  W.line(Free.Prefix +
         updateText(S.Op, Target, Value, scalarCombine(S.Op, Target, Value, S.T->Element)));
}

void OpenMPEmitter::emitAssign(const Assign &A) {
  // An iteration has scalars of its own, which it also sets beyond the tile.
  const std::set<VarRef> &Around = GuardsAround[A.V];
  const Unguarded Free(*this, allInside([&](const VarRef &V) { return !Around.count(V); }));
  const std::string &Target = Names.name(A.V);
  std::string Value = text(clampedValue(A.Value));
  W.line(Free.Prefix +
         updateText(A.Op, Target, Value, scalarCombine(A.Op, Target, Value, A.V->Type)));
}

} // namespace septran::compiler
