//===- LeafCuts.cpp - which loops of a leaf can be cut --------------------===//
#include "Logic/LeafCuts.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Logic/LeafParts.h"

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

using Walks = std::map<Dimension, VarRef>;

/// Which loops walk which dimensions of what the nest writes.
Walks walkedByStores(const LoopsOfLeaf &Nest) {
  Walks Result;
  walkStmts(Nest.inner(), [&](const Stmt &S) {
    const auto *Element = S.getIf<Store>();
    for (unsigned D = 0; Element && D < Element->Indices.size(); ++D)
      if (const Expr Term = onlyTerm(Element->Indices[D]); Term && Term->Kind == ExprKind::Var)
        Result.try_emplace({Element->T, D}, Term->V);
  });
  return Result;
}

/// The nest with the variables of loops in `First` that walk the same, from and to the same.
LoopsOfLeaf withVariablesOf(const LoopsOfLeaf &First, const Block &Part) {
  const LoopsOfLeaf Nest(Part);
  const Walks There = walkedByStores(First), Here = walkedByStores(Nest);
  auto isSame = [&](const LoopsOfLeaf::Loop &L, const LoopsOfLeaf::Loop &Other) {
    return equal(L.Lo, Other.Lo) && equal(L.Hi, Other.Hi) && L.V->Type == Other.V->Type &&
           std::any_of(Here.begin(), Here.end(), [&](const auto &Walk) {
             const auto At = There.find(Walk.first);
             return Walk.second == L.V && At != There.end() && At->second == Other.V;
           });
  };
  Substitution Same;
  std::set<VarRef> Taken;
  for (const LoopsOfLeaf::Loop &L : Nest.loops())
    for (const LoopsOfLeaf::Loop &Other : First.loops())
      if (!Same.Vars.count(L.V) && !Taken.count(Other.V) && isSame(L, Other)) {
        Same.Vars[L.V] = varExpr(Other.V);
        Taken.insert(Other.V);
      }
  return LoopsOfLeaf(substitute(Part, Same));
}

std::vector<LoopsOfLeaf> nestsOf(const Block &Body) {
  const std::optional<std::vector<Block>> Parts = partsOfLeaf(Body);
  std::vector<LoopsOfLeaf> Result = {LoopsOfLeaf(Parts && !Parts->empty() ? Parts->front() : Body)};
  for (size_t I = 1; Parts && I < Parts->size(); ++I)
    Result.push_back(withVariablesOf(Result.front(), (*Parts)[I]));
  return Result;
}

} // namespace

const Cut *cutOf(const std::vector<Cut> &Cuts, const VarRef &V) {
  const auto At = std::find_if(Cuts.begin(), Cuts.end(), [&](const Cut &C) { return C.V == V; });
  return At == Cuts.end() ? nullptr : &*At;
}

LeafCuts::LeafCuts(const Function &Leaf) : Leaf(Leaf), Nests(nestsOf(Leaf.Body)) {
  for (const LoopsOfLeaf &Nest : Nests)
    for (const LoopsOfLeaf::Loop &L : Nest.loops())
      Walking.try_emplace(L.V, makeVar(L.V->Name, L.V->Type, VarKind::Loop, L.V->Loc));
  for (const LoopsOfLeaf &Nest : Nests)
    accesses(Nest.inner(), true);
  std::vector<Expr> Values;
  auto compute = [&](const Expr &E) {
    Values.push_back(fromOrigins(E));
    for (const VarRef &V : collectVars(Values.back()))
      if (isInNest(V))
        Positional.insert(V);
  };
  for (const LoopsOfLeaf &Nest : Nests) {
    for (const LoopsOfLeaf::Loop &L : Nest.loops())
      for (const Expr &E : {L.Lo, L.Hi})
        compute(E);
    for (const Block &Body : {Nest.definitions(), marked(Nest.inner())})
      walkStmts(Body, [&](const Stmt &S) { forEachExpr(S, compute); });
  }
  for (const VarRef &V : Positional)
    for (const Parameter &P : Leaf.Params) {
      if (P.isTensor() || !isInteger(P.Scalar->Type) || isAssigned(Leaf.Body, P.Scalar))
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

void LeafCuts::accesses(const Block &B, bool Always) {
  for (const Stmt &S : B) {
    forEachExpr(S, [&](const Expr &E) { accesses(E, Always); });
    HasOtherLoops |= S.getIf<For>() != nullptr;
    if (const auto *Element = S.getIf<Store>()) {
      access(Element->T, Element->Indices, Always);
      Written.insert(Element->T);
    }
    for (const Block *Nested : nestedBlocks(S))
      accesses(*Nested, Always && !S.getIf<If>());
  }
}

void LeafCuts::accesses(const Expr &E, bool Always) {
  if (E->Kind == ExprKind::Load) {
    access(E->T, E->Args, Always);
    Read.insert(E->T);
  }
  const bool Chooses =
      E->Kind == ExprKind::Select ||
      (E->Kind == ExprKind::Binary && (E->Bin == BinaryOp::And || E->Bin == BinaryOp::Or));
  for (size_t I = 0; I < E->Args.size(); ++I)
    accesses(E->Args[I], Always && !(Chooses && I > 0));
}

void LeafCuts::access(const TensorRef &T, const std::vector<Expr> &Indices, bool Always) {
  for (unsigned D = 0; D < Indices.size(); ++D) {
    const Expr Term = onlyTerm(Indices[D]);
    VarRef By = Term && Term->Kind == ExprKind::Var && isInNest(Term->V) ? Term->V : nullptr;
    auto [At, IsNew] = Walks.try_emplace({T, D}, By);
    if (!IsNew && At->second != By)
      At->second = nullptr;
    if (By && Always)
      Covered.insert({T, D});
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

Block LeafCuts::marked(Block Body) const {
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

std::vector<Dimension> LeafCuts::walkedBy(const VarRef &V) const {
  std::vector<Dimension> Result;
  for (const Parameter &P : Leaf.Params)
    for (unsigned D = 0; P.isTensor() && D < P.Tensor->Rank; ++D)
      if (walkerOf({P.Tensor, D}) == V)
        Result.push_back({P.Tensor, D});
  return Result;
}

bool LeafCuts::walksAll(const VarRef &V, const std::set<TensorRef> &Tensors) const {
  return std::all_of(Tensors.begin(), Tensors.end(), [&](const TensorRef &T) {
    for (unsigned D = 0; D < T->Rank; ++D)
      if (walkerOf({T, D}) == V)
        return true;
    return false;
  });
}

/// None if blocks of the loop would need more than blocks of what it walks.
std::optional<Cut> LeafCuts::cut(const LoopsOfLeaf::Loop &L) const {
  Cut C{L.V, {}, false, L.Lo, L.Hi, !Written.empty() && walksAll(L.V, Written)};
  if (const std::optional<Dimension> Whole = L.whole(); Whole && walkerOf(*Whole) == L.V) {
    C.Bound = *Whole;
    return C;
  }
  C.IsInner = true;
  const std::vector<Dimension> Walked = walkedBy(L.V);
  const auto Sure = std::find_if(Walked.begin(), Walked.end(),
                                 [&](const Dimension &D) { return isCovered(D); });
  if (Sure != Walked.end()) {
    C.Bound = *Sure;
    return C;
  }
  // Iterations that would only write outside of a tensor do nothing.
  if (!C.IsParallel)
    return std::nullopt;
  C.Lo = provablyNonNegative(L.Lo) ? L.Lo : maxExpr(L.Lo, intLit(0, L.Lo->Type));
  for (const Dimension &D : Walked)
    if (Written.count(D.first) &&
        (Written.size() == 1 || provablyLessEqual(L.Hi, extentOf(D.first, D.second)))) {
      C.Bound = D;
      return C;
    }
  return std::nullopt;
}

bool LeafCuts::isInEveryNest(const VarRef &V) const {
  return std::all_of(Nests.begin(), Nests.end(), [&](const LoopsOfLeaf &Nest) {
    return std::any_of(Nest.loops().begin(), Nest.loops().end(),
                       [&](const LoopsOfLeaf::Loop &L) { return L.V == V; });
  });
}

std::vector<Cut> LeafCuts::cuts(bool ForCores) const {
  std::vector<Cut> Result;
  bool Sums = false, UsesAgain = false;
  for (const LoopsOfLeaf &Nest : Nests)
    for (const LoopsOfLeaf::Loop &L : Nest.loops()) {
      const std::optional<Cut> C = isInEveryNest(L.V) ? cut(L) : std::nullopt;
      const bool IsParallel = C && C->IsParallel;
      if (C && (IsParallel || (!Sums && Nests.size() == 1)) && !cutOf(Result, L.V))
        Result.push_back(*C);
      Sums |= !IsParallel;
      UsesAgain |= IsParallel && !walksAll(L.V, Read);
    }
  if ((Sums || HasOtherLoops) && UsesAgain)
    return Result;
  std::erase_if(Result, [&](const Cut &C) { return !ForCores || !C.IsParallel; });
  return Result;
}

std::vector<Dimension> LeafCuts::measured(const std::vector<Cut> &Cuts) const {
  std::set<Dimension> Used;
  auto measure = [&](const Expr &Part) {
    if (Part->Kind == ExprKind::Extent)
      Used.insert({Part->T, Part->Dim});
  };
  for (const LoopsOfLeaf &Nest : Nests) {
    for (const LoopsOfLeaf::Loop &L : Nest.loops())
      if (!cutOf(Cuts, L.V))
        for (const Expr &E : {L.Lo, L.Hi})
          walkExprs(E, measure);
    for (const Block &Body : {Nest.definitions(), marked(Nest.inner())})
      walkExprs(Body, measure);
  }
  std::vector<Dimension> Result;
  for (const Cut &C : Cuts)
    for (const Dimension &D : walkedBy(C.V))
      if (Used.count(D))
        Result.push_back(D);
  return Result;
}

Block LeafCuts::placed(const std::vector<Cut> &Cuts, const std::map<VarRef, Expr> &Position,
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
  Substitution Unmarked;
  for (const auto &[V, Mark] : Walking)
    Unmarked.Vars[Mark] = varExpr(V);
  Block Result;
  for (const LoopsOfLeaf &Nest : Nests) {
    Block Body = Nest.definitions(), Inner = marked(Nest.inner());
    for (Block *Part : {&Body, &Inner})
      walkStmts(*Part, [&](Stmt &S) { forEachExpr(S, [&](Expr &E) { E = place(E); }); });
    std::vector<LoopsOfLeaf::Loop> Around = Nest.loops();
    for (LoopsOfLeaf::Loop &L : Around) {
      const Cut *C = cutOf(Cuts, L.V);
      L.Lo = C ? intLit(0, L.V->Type) : place(L.Lo);
      L.Hi = C ? extentOf(C->Bound.first, C->Bound.second) : place(L.Hi);
    }
    for (Stmt &Loop : around(Around, substitute(Inner, Unmarked)))
      Body.push_back(std::move(Loop));
    Substitution Fresh; // nests share variables and definitions
    for (Stmt &S : freshCopy(Body, Fresh))
      Result.push_back(std::move(S));
  }
  return Result;
}

} // namespace septran::compiler
