//===- LeafCuts.cpp - which loops of a leaf can be cut --------------------===//
#include "Logic/LeafCuts.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"

#include <algorithm>

namespace septran::compiler {

namespace {

bool isAssigned(const Block &B, const VarRef &V) {
  bool Found = false;
  walkStmts(B, [&](const Stmt &S) {
    const auto *A = S.getIf<Assign>();
    Found |= A && A->V == V;
  });
  return Found;
}

} // namespace

LeafCuts::LeafCuts(const Function &Leaf) : Loops(Leaf.Body) {
  for (const LoopsOfLeaf::Loop &L : Loops.loops()) {
    Nest.push_back({L.V, {L.T, L.Dim}});
    Walking[L.V] = makeVar(L.V->Name, L.V->Type, VarKind::Loop, L.V->Loc);
  }
  walkExprs(Loops.inner(), [&](const Expr &E) {
    if (E->Kind == ExprKind::Load) {
      access(E->T, E->Args);
      Read.insert(E->T);
    }
  });
  walkStmts(Loops.inner(), [&](const Stmt &S) {
    HasOtherLoops |= S.getIf<For>() != nullptr;
    if (const auto *Element = S.getIf<Store>()) {
      access(Element->T, Element->Indices);
      Written.insert(Element->T);
    }
  });
  std::vector<Expr> Values;
  const Block Body = markedBody();
  walkStmts(Body, [&](const Stmt &S) {
    forEachExpr(S, [&](const Expr &E) {
      Values.push_back(fromOrigins(E));
      for (const VarRef &V : collectVars(Values.back()))
        if (isInNest(V))
          Positional.insert(V);
      walkExprs(E, [&](const Expr &Part) {
        if (Part->Kind == ExprKind::Extent && walkerOf({Part->T, Part->Dim}))
          Measured.insert({Part->T, Part->Dim});
      });
    });
  });
  for (const VarRef &V : Positional)
    for (const Parameter &P : Leaf.Params) {
      if (P.isTensor() || !isInteger(P.Scalar->Type) || isAssigned(Body, P.Scalar))
        continue;
      Substitution Added; // it moves forward as the variable moves back
      Added.Vars[P.Scalar] =
          varExpr(makeVar(P.Name, P.Scalar->Type, VarKind::Parameter)) - varExpr(V);
      if (std::none_of(Values.begin(), Values.end(), [&](const Expr &E) {
            return mentions(simplify(substitute(E, Added)), V);
          })) {
        Companions[V] = P.Scalar;
        break;
      }
    }
}

void LeafCuts::access(const TensorRef &T, const std::vector<Expr> &Indices) {
  for (unsigned D = 0; D < Indices.size(); ++D) {
    const Expr Term = onlyTerm(Indices[D]);
    VarRef By = Term && Term->Kind == ExprKind::Var && isInNest(Term->V) ? Term->V : nullptr;
    auto [At, IsNew] = Walks.try_emplace({T, D}, By);
    if (!IsNew && At->second != By)
      At->second = nullptr;
  }
}

VarRef LeafCuts::walkerOf(const Dimension &D) const {
  auto At = Walks.find(D);
  return At == Walks.end() ? nullptr : At->second;
}

VarRef LeafCuts::companionOf(const VarRef &V) const {
  auto At = Companions.find(V);
  return At == Companions.end() ? nullptr : At->second;
}

Expr LeafCuts::markedIndex(const TensorRef &T, unsigned D, const Expr &Index) const {
  const VarRef V = walkerOf({T, D});
  return V ? varExpr(Walking.at(V)) : marked(Index);
}

/// With other variables where the loops walk.
Expr LeafCuts::marked(const Expr &E) const {
  if (E->Args.empty())
    return E;
  std::vector<Expr> Args;
  for (unsigned I = 0; I < E->Args.size(); ++I)
    Args.push_back(E->Kind == ExprKind::Load ? markedIndex(E->T, I, E->Args[I])
                                             : marked(E->Args[I]));
  return Args == E->Args ? E : withLocation(withOperands(E, std::move(Args)), E->Loc);
}

Block LeafCuts::markedBody() const {
  Block Body = Loops.inner();
  walkStmts(Body, [&](Stmt &S) {
    if (auto *Element = S.getIf<Store>()) {
      for (unsigned D = 0; D < Element->Indices.size(); ++D)
        Element->Indices[D] = markedIndex(Element->T, D, Element->Indices[D]);
      Element->Value = marked(Element->Value);
    } else {
      forEachExpr(S, [&](Expr &E) { E = marked(E); });
    }
  });
  return Body;
}

/// A marked expression, in which origins count down as the loops that walk their dimensions count up:
/// a sum of an origin and the number of the iteration does not name the loop.
Expr LeafCuts::fromOrigins(const Expr &E) const {
  return simplify(rewriteExpr(E, [&](const Expr &Part) -> Expr {
    const VarRef V = Part->Kind == ExprKind::Origin ? walkerOf({Part->T, Part->Dim}) : nullptr;
    return V ? Part - varExpr(V) : nullptr;
  }));
}

bool LeafCuts::walksAll(const VarRef &V, const std::set<TensorRef> &Tensors) const {
  return std::all_of(Tensors.begin(), Tensors.end(), [&](const TensorRef &T) {
    for (unsigned D = 0; D < T->Rank; ++D)
      if (walkerOf({T, D}) == V)
        return true;
    return false;
  });
}

std::vector<Cut> LeafCuts::cuts(bool ForCores) const {
  std::vector<Cut> Result;
  bool Sums = false, UsesAgain = false;
  for (Cut C : Nest) {
    const bool CanCut = walkerOf(C.Bound) == C.V;
    C.IsParallel = CanCut && !Written.empty() && walksAll(C.V, Written);
    if (C.IsParallel || (CanCut && !Sums))
      Result.push_back(C);
    Sums |= !C.IsParallel;
    UsesAgain |= C.IsParallel && !walksAll(C.V, Read);
  }
  if ((Sums || HasOtherLoops) && UsesAgain)
    return Result;
  std::erase_if(Result, [&](const Cut &C) { return !ForCores || !C.IsParallel; });
  return Result;
}

Block LeafCuts::placed(const std::map<VarRef, Expr> &Position,
                       const std::map<Dimension, Expr> &Extents) const {
  auto place = [&](const Expr &E) {
    const Expr Moving = fromOrigins(E);
    const bool Moves = std::any_of(Position.begin(), Position.end(),
                                   [&](const auto &P) { return mentions(Moving, P.first); });
    return rewriteExpr(E, [&](const Expr &Part) -> Expr {
      if (Part->Kind == ExprKind::Extent)
        if (auto At = Extents.find({Part->T, Part->Dim}); At != Extents.end())
          return At->second;
      if (!Moves)
        return nullptr;
      if (Part->Kind == ExprKind::Origin)
        if (auto At = Position.find(walkerOf({Part->T, Part->Dim})); At != Position.end())
          return Part + varExpr(At->first) - At->second;
      if (Part->Kind == ExprKind::Var)
        if (auto At = Position.find(Part->V); At != Position.end())
          return At->second;
      return nullptr;
    });
  };
  Block Body = markedBody();
  walkStmts(Body, [&](Stmt &S) { forEachExpr(S, [&](Expr &E) { E = place(E); }); });
  Substitution Unmarked;
  for (const auto &[V, Mark] : Walking)
    Unmarked.Vars[Mark] = varExpr(V);
  std::vector<Expr> Ends;
  for (const LoopsOfLeaf::Loop &L : Loops.loops())
    Ends.push_back(extentOf(L.T, L.Dim));
  return Loops.around(substitute(Body, Unmarked), Ends);
}

} // namespace septran::compiler
