//===- LeafPrefetch.cpp - elements that a leaf will need soon -------------===//
#include "Plan/LeafPrefetch.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/LoopAnalysis.h"
#include "Plan/RegisterTiles.h"

#include <algorithm>

namespace septran::compiler {

bool wantsLeafPrefetch(const InstanceInfo &I, const std::string &Name) {
  if (!I.Settings || !I.Binding.empty() || I.Task->Kind != FunctionKind::Leaf)
    return false;
  const std::int64_t *Iterations = I.Settings->Prefetch.find(Name);
  return Iterations && *Iterations > 0;
}

std::vector<LeafPrefetch> leafPrefetches(const Scope &S) {
  std::vector<LeafPrefetch> Result;
  for (const Stmt &Statement : S.Body) {
    const auto *D = Statement.getIf<Define>();
    if (!D || !wantsLeafPrefetch(*S.Instance, D->T->Name))
      continue;
    // Of a whole tensor the leaf uses the first name; the definition was kept to be found here.
    Result.push_back({D->T->Name, isIdentity(D->Value) ? D->Value.Base : D->T,
                      *S.Instance->Settings->Prefetch.find(D->T->Name)});
  }
  return Result;
}

namespace {

/// The indices can be computed for another iteration, at the start of this one: they are made of
/// what is known there and of Loops' variables, and read nothing.
bool knownAhead(const Access &A, const DefinedSymbols &Inside,
                const std::vector<const For *> &Loops) {
  bool Known = true;
  for (const Expr &I : A.Indices)
    walkExprs(I, [&](const Expr &N) {
      if (N->Kind == ExprKind::Load || (N->T && Inside.Tensors.count(N->T)))
        Known = false;
      if (N->Kind == ExprKind::Var && Inside.Vars.count(N->V))
        Known &=
            std::any_of(Loops.begin(), Loops.end(), [&](const For *L) { return L->V == N->V; });
    });
  return Known;
}

} // namespace

std::vector<MovingAccess> accessesMovedBy(const For &F, const TensorRef &T) {
  const DefinedSymbols Inside = definedIn(F.Body);
  std::vector<const For *> Inner;
  walkStmts(F.Body, [&](const Stmt &S) {
    if (const auto *L = S.getIf<For>())
      Inner.push_back(L);
  });
  auto Moves = [](const VarRef &V, const Access &A) {
    return std::any_of(A.Indices.begin(), A.Indices.end(),
                       [&](const Expr &I) { return mentions(I, V); });
  };
  std::vector<MovingAccess> Result;
  for (const Access &A : accessesOf(F.Body)) {
    if (A.T != T || !Moves(F.V, A))
      continue;
    MovingAccess Found{A.Indices, {}};
    bool Innermost = true;
    for (const For *L : Inner)
      if (Moves(L->V, A)) {
        Found.TileLoops.push_back(L);
        Innermost &= L->StaticTrip > 0;
      }
    bool Known = std::any_of(Result.begin(), Result.end(), [&](const MovingAccess &R) {
      return std::equal(R.Indices.begin(), R.Indices.end(), A.Indices.begin(), A.Indices.end(),
                        [](const Expr &X, const Expr &Y) { return equal(X, Y); });
    });
    if (Innermost && !Known && knownAhead(A, Inside, Found.TileLoops))
      Result.push_back(std::move(Found));
  }
  return Result;
}

bool endsWithin(const For &F, std::int64_t Distance, const TensorTable &Tensors) {
  const std::optional<std::int64_t> Length = upperBound(expandExtents(F.Hi - F.Lo, Tensors));
  return Length && *Length <= Distance;
}

} // namespace septran::compiler
