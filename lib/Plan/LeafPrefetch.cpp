//===- LeafPrefetch.cpp - elements that a leaf will need soon -------------===//
#include "Plan/LeafPrefetch.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/Kernels.h"
#include "Plan/LeafStores.h"
#include "Plan/LoopAnalysis.h"
#include "Plan/RegisterTiles.h"
#include "Support/DidYouMean.h"

#include <algorithm>

namespace septran::compiler {

bool fetchesAtStart(const Scope &S, const TensorRef &T, const Machine &Target,
                    const TensorTable &Tensors) {
  const InstanceMapping *Settings = S.Instance->Settings;
  const PrefetchDistance *Wanted = Settings ? Settings->Prefetch.find(T->Name) : nullptr;
  const Memory *M = Target.findMemory(T->Memory);
  return Wanted && Wanted->AtStart && !(M && M->Registers) && !gridDepth(Target) &&
         !Target.hasScratchpads() && storesTo(S, Tensors.root(T), Tensors) != StoreKind::Streaming;
}

std::int64_t secondCacheBytes(const Machine &M) {
  constexpr std::int64_t Usual = 1 << 20; // where the machine does not say
  const double *Cost = M.Cost.find("second_cache_bytes");
  return Cost ? std::int64_t(*Cost) : Usual;
}

bool wantsLeafPrefetch(const InstanceInfo &I, const std::string &Name) {
  if (!I.Settings || !I.Binding.empty() || I.Task->Kind != FunctionKind::Leaf)
    return false;
  const PrefetchDistance *Wanted = I.Settings->Prefetch.find(Name);
  return Wanted && Wanted->Iterations > 0;
}

void checkPrefetch(const Block &Body, const InstanceInfo &I, Diagnostics &D) {
  if (!I.Settings)
    return;
  std::vector<std::string> Names;
  walkStmts(Body, [&](const Stmt &S) {
    if (const auto *F = S.getIf<For>())
      Names.push_back(F->V->Name);
  });
  for (const auto &P : I.Settings->Prefetch)
    if (const LocatedName &Loop = P.Value.Value.Loop;
        !Loop.Value.empty() && std::find(Names.begin(), Names.end(), Loop.Value) == Names.end())
      D.report(DiagID::VectorizeLoop, Loop.Loc, I.Task->Name, Loop.Value,
               didYouMean(Loop.Value, Names));
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

namespace {

void keepMovedBy(const VarRef &V, std::vector<MovingAccess> &Accesses) {
  std::erase_if(Accesses, [&](const MovingAccess &A) {
    return std::none_of(A.Indices.begin(), A.Indices.end(),
                        [&](const Expr &I) { return mentions(I, V); });
  });
}

/// A loop that walks elements of a row.
struct RowWalk {
  const For *F;
  std::vector<Expr> Indices; ///< of all accesses, with `At` for the loop's variable
  bool Stores = false;
};

bool walkTheSame(const RowWalk &A, const RowWalk &B) {
  return equal(A.F->Lo, B.F->Lo) && equal(A.F->Hi, B.F->Hi) &&
         std::equal(A.Indices.begin(), A.Indices.end(), B.Indices.begin(), B.Indices.end(),
                    [](const Expr &X, const Expr &Y) { return equal(X, Y); });
}

std::vector<RowWalk> rowWalks(const For &Rows, const TensorRef &T) {
  const VarRef At = makeVar("at", ScalarType::I64, VarKind::Loop);
  std::vector<RowWalk> Walks;
  walkStmts(Rows.Body, [&](const Stmt &S) {
    const auto *F = S.getIf<For>();
    if (!F || F->StaticTrip)
      return;
    std::vector<MovingAccess> Accesses = accessesMovedBy(*F, T);
    keepMovedBy(Rows.V, Accesses);
    if (Accesses.empty())
      return;
    RowWalk Walk{F, {}};
    Substitution Canonical;
    Canonical.Vars[F->V] = varExpr(At);
    for (const MovingAccess &A : Accesses)
      for (const Expr &I : A.Indices)
        Walk.Indices.push_back(substitute(I, Canonical));
    walkStmts(F->Body, [&](const Stmt &Inner) { Walk.Stores |= Inner.getIf<Store>() != nullptr; });
    Walks.push_back(std::move(Walk));
  });
  return Walks;
}

/// Of walks along the same elements the last that stores nothing; if each does, the last.
std::set<VarRef> askingLoops(const std::vector<RowWalk> &Walks) {
  std::set<VarRef> Result;
  for (const RowWalk &W : Walks) {
    const RowWalk *Asks = nullptr;
    for (const RowWalk &Other : Walks)
      if (walkTheSame(W, Other) && (!Asks || Asks->Stores || !Other.Stores))
        Asks = &Other;
    Result.insert(Asks->F->V);
  }
  return Result;
}

} // namespace

std::vector<LeafPrefetch> leafPrefetches(const Scope &S) {
  std::vector<LeafPrefetch> Result;
  for (const Stmt &Statement : S.Body) {
    const auto *D = Statement.getIf<Define>();
    if (!D || !wantsLeafPrefetch(*S.Instance, D->T->Name))
      continue;
    const PrefetchDistance &Wanted = *S.Instance->Settings->Prefetch.find(D->T->Name);
    // Of a whole tensor the leaf uses the first name; the definition was kept to be found here.
    Result.push_back({D->T->Name,
                      isIdentity(D->Value) ? D->Value.Base : D->T,
                      Wanted.Iterations,
                      Wanted.Loop.Value,
                      {},
                      {}});
  }
  for (LeafPrefetch &L : Result)
    walkStmts(S.Body, [&](const Stmt &Statement) {
      const auto *F = Statement.getIf<For>();
      if (!F || L.Loop.empty() || F->V->Name != L.Loop)
        return;
      L.Along.insert(F->V);
      L.In.merge(askingLoops(rowWalks(*F, L.T)));
    });
  return Result;
}

AccessesAhead accessesAhead(const LeafPrefetch &L, const For &F,
                            llvm::ArrayRef<const For *> Around) {
  AccessesAhead Result{&F, accessesMovedBy(F, L.T)};
  if (L.Loop.empty() || L.Along.count(F.V))
    return Result;
  const auto Outer =
      llvm::find_if(llvm::reverse(Around), [&](const For *O) { return L.Along.count(O->V); });
  if (!L.In.count(F.V) || Outer == llvm::reverse(Around).end())
    return {};
  Result.Loop = *Outer;
  keepMovedBy((*Outer)->V, Result.Accesses);
  return Result;
}

bool endsWithin(const For &F, std::int64_t Distance, const TensorTable &Tensors) {
  const std::optional<std::int64_t> Length = upperBound(expandExtents(F.Hi - F.Lo, Tensors));
  return Length && *Length <= Distance;
}

} // namespace septran::compiler
