//===- LeafStores.cpp - results that pass by the caches -------------------===//
#include "Plan/LeafStores.h"

#include "IR/Rewrite.h"

namespace septran::compiler {

bool wantsLeafStores(const InstanceInfo &I, const std::string &Name) {
  if (!I.Settings || !I.Binding.empty() || I.Task->Kind != FunctionKind::Leaf)
    return false;
  const StoreKind *Kind = I.Settings->Stores.find(Name);
  return Kind && *Kind != StoreKind::Cached;
}

namespace {

/// In the order of the text: iterations of loops around all of it work on other elements.
std::set<const Store *> lastStores(const Block &B, const TensorRef &T) {
  std::set<const Store *> Result;
  walkStmts(B, [&](const Stmt &S) {
    bool Reads = false;
    forEachExpr(S, [&](const Expr &E) {
      walkExprs(E, [&](const Expr &N) { Reads |= N->Kind == ExprKind::Load && N->T == T; });
    });
    if (Reads)
      Result.clear();
    if (const auto *St = S.getIf<Store>(); St && St->T == T)
      Result.insert(St);
  });
  return Result;
}

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
                      lastStores(S.Body, T)});
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

} // namespace septran::compiler
