//===- LeafStores.cpp - results that pass by the caches -------------------===//
#include "Plan/LeafStores.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"

#include <algorithm>

namespace septran::compiler {

bool wantsLeafStores(const InstanceInfo &I, const std::string &Name) {
  if (!I.Settings || !I.Binding.empty() || I.Task->Kind != FunctionKind::Leaf)
    return false;
  const StoreKind *Kind = I.Settings->Stores.find(Name);
  return Kind && *Kind != StoreKind::Cached;
}

namespace {

/// The stores of a leaf after which it does not read T, in lanes side by side.
class LastStores {
  const TensorRef &T;
  std::vector<const For *> Around; ///< the statement being visited
  std::set<const Store *> Result;

  /// The constant distance of two elements along each dimension, if there is one.
  static std::optional<std::vector<std::int64_t>> distance(const std::vector<Expr> &From,
                                                           const std::vector<Expr> &To) {
    std::vector<std::int64_t> Result;
    for (size_t Dim = 0; Dim < From.size(); ++Dim) {
      const std::optional<Affine> By = affineForm(To[Dim] - From[Dim]);
      if (!By || !By->Terms.empty())
        return std::nullopt;
      Result.push_back(By->Constant);
    }
    return Result;
  }

  static bool isNeighbour(const std::vector<Expr> &Indices, const std::vector<Expr> &Other) {
    const auto By = distance(Indices, Other);
    return By && std::any_of(By->begin(), By->end(), [](std::int64_t D) { return D != 0; });
  }

  bool isOnceInLanes(const Store &S) const {
    bool Once = true, InLanes = false;
    for (const For *F : Around) {
      Once &= std::any_of(S.Indices.begin(), S.Indices.end(),
                          [&](const Expr &I) { return mentions(I, F->V); });
      if (F->Exec == LoopExec::Lanes) {
        Substitution NextLane;
        NextLane.Vars[F->V] = varExpr(F->V) + intLit(1, F->V->Type);
        std::vector<Expr> Next;
        for (const Expr &I : S.Indices)
          Next.push_back(substitute(I, NextLane));
        std::vector<std::int64_t> SideBySide(S.Indices.size(), 0);
        if (!SideBySide.empty())
          SideBySide.back() = 1;
        InLanes = distance(S.Indices, Next) == SideBySide;
      }
    }
    return Once && InLanes;
  }

  /// A read ends what was stored before it in the text: iterations of loops around both work on other
  /// elements.
  void visit(const Block &B) {
    for (const Stmt &S : B) {
      const auto *St = S.getIf<Store>();
      if (St && St->T != T)
        St = nullptr;
      bool Reads = St && St->Op != UpdateOp::Set;
      forEachExpr(S, [&](const Expr &E) {
        walkExprs(E, [&](const Expr &N) { Reads |= N->Kind == ExprKind::Load && N->T == T; });
      });
      if (Reads)
        Result.clear();
      if (St && isOnceInLanes(*St))
        Result.insert(St);
      const auto *F = S.getIf<For>();
      if (F)
        Around.push_back(F);
      for (const Block *Nested : nestedBlocks(S))
        visit(*Nested);
      if (F)
        Around.pop_back();
    }
  }

public:
  explicit LastStores(const TensorRef &T) : T(T) {}

  std::set<const Store *> in(const Block &B) {
    visit(B);
    walkExprs(B, [&](const Expr &E) { // by a later iteration
      if (E->Kind == ExprKind::Load && E->T == T)
        std::erase_if(Result, [&](const Store *S) { return isNeighbour(S->Indices, E->Args); });
    });
    return std::move(Result);
  }
};

} // namespace

std::vector<LeafStores> leafStores(const Scope &S) {
  std::vector<LeafStores> Result;
  for (const Stmt &Statement : S.Body) {
    const auto *D = Statement.getIf<Define>();
    if (!D || !wantsLeafStores(*S.Instance, D->T->Name))
      continue;
    // Of a whole tensor the leaf uses the first name; the definition was kept to be found here.
    const TensorRef T = isIdentity(D->Value) ? D->Value.Base : D->T;
    Result.push_back({D->T->Name, T, D->Value, *S.Instance->Settings->Stores.find(D->T->Name),
                      LastStores(T).in(S.Body)});
  }
  return Result;
}

std::int64_t streamingBytes(const Machine &M) {
  constexpr std::int64_t Large = 16 << 20; // where the machine does not say
  const double *Cost = M.Cost.find("streaming_bytes");
  return Cost ? std::int64_t(*Cost) : Large;
}

bool holdsLeafStores(const Block &B) {
  bool Found = false;
  walkStmts(B, [&](const Stmt &S) {
    if (const auto *Sc = S.getIf<Scope>())
      Found |= !leafStores(*Sc).empty();
  });
  return Found;
}

StoreKind storesTo(const Scope &S, const TensorRef &Root, const TensorTable &Tensors) {
  StoreKind Kind = StoreKind::Cached;
  auto ask = [&](const Scope &Leaf) {
    for (const LeafStores &L : leafStores(Leaf))
      if (!L.Last.empty() && Tensors.root(L.Value.Base) == Root)
        Kind = L.Kind;
  };
  ask(S);
  walkStmts(S.Body, [&](const Stmt &Each) {
    if (const auto *Inner = Each.getIf<Scope>())
      ask(*Inner);
  });
  return Kind;
}

} // namespace septran::compiler
