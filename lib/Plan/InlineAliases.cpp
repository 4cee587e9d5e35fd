//===- InlineAliases.cpp - parameters that are the caller's whole tensor --===//
//
// After copies are settled, a Define of a whole tensor is only a second name for it: uses take the
// first name. Extents of buffers and locals become the expressions they were allocated with, so
// that loops over the same block compare equal however many instances lie between.
//
//===----------------------------------------------------------------------===//
#include "IR/Affine.h"
#include "IR/Canonical.h"
#include "IR/Rewrite.h"
#include "Plan/LeafPrefetch.h"
#include "Plan/LeafStores.h"
#include "Plan/Simplify.h"

namespace septran::compiler {

namespace {

/// Indices, bounds and offsets are computed in std::ptrdiff_t throughout: widening casts in them
/// only hide that two are the same.
Expr withoutIndexCasts(const Expr &E) {
  return rewriteExpr(E, [](const Expr &N) -> Expr {
    if (N->Kind == ExprKind::Cast && isInteger(N->Type) && isInteger(N->Args[0]->Type) &&
        byteSize(N->Type) >= byteSize(N->Args[0]->Type) && isSigned(N->Args[0]->Type))
      return N->Args[0];
    return nullptr;
  });
}

/// The same for the indices of the loads within a value.
Expr withPlainIndices(const Expr &E) {
  return rewriteExpr(E, [](const Expr &N) -> Expr {
    if (N->Kind != ExprKind::Load)
      return nullptr;
    std::vector<Expr> Indices;
    for (const Expr &I : N->Args)
      Indices.push_back(withoutIndexCasts(I));
    return load(N->T, std::move(Indices));
  });
}

class Inliner {
  Substitution Names;
  std::map<TensorRef, std::vector<Expr>> Sizes;

  /// The same elements in the same order: also a block that is larger than what was allocated.
  bool isWhole(const View &V) const {
    if (V.Fill || !V.Reshape.empty())
      return false;
    const View Part = explicitView(V), Whole = explicitView(wholeView(V.Base));
    if (Part.Dims != Whole.Dims)
      return false;
    for (unsigned Dim = 0; Dim < V.Base->Rank; ++Dim)
      if (!isConstant(simplify(Part.Slices[Dim].Offset), 0) ||
          !provablyEqual(toIndex(expr(Part.extent(Dim))), toIndex(expr(Whole.extent(Dim)))))
        return false;
    return true;
  }

  Expr expr(const Expr &E) const {
    Expr Named = substitute(E, Names);
    return rewriteExpr(Named, [this](const Expr &N) -> Expr {
      if (N->Kind != ExprKind::Extent)
        return nullptr;
      auto It = Sizes.find(N->T);
      return It == Sizes.end() ? nullptr : It->second[N->Dim];
    });
  }

public:
  /// `Instance` is that of the innermost scope around B.
  Block run(Block B, const InstanceInfo *Instance) {
    Block Out;
    for (Stmt &S : B) {
      forEachView(S, [this](View &V) { V = substitute(V, Names); });
      if (auto *D = S.getIf<Define>(); D && isWhole(D->Value)) {
        Names.Tensors[D->T] = D->Value.Base;
        if (Instance && (wantsLeafPrefetch(*Instance, D->T->Name) ||
                         wantsLeafStores(*Instance, D->T->Name)))
          Out.push_back(std::move(S)); // says which tensor the argument is
        continue;
      }
      forEachExpr(S, [this](Expr &E) { E = withPlainIndices(expr(E)); });
      forEachView(S, [](View &V) { forEachExpr(V, [](Expr &E) { E = withoutIndexCasts(E); }); });
      if (auto *F = S.getIf<For>()) {
        F->Lo = withoutIndexCasts(F->Lo);
        F->Hi = withoutIndexCasts(F->Hi);
      } else if (auto *St = S.getIf<Store>()) {
        for (Expr &I : St->Indices)
          I = withoutIndexCasts(I);
      } else if (auto *A = S.getIf<Alloc>()) {
        for (Expr &E : A->Extents)
          E = withoutIndexCasts(E);
      }
      if (auto *St = S.getIf<Store>())
        if (auto It = Names.Tensors.find(St->T); It != Names.Tensors.end())
          St->T = It->second;
      if (auto *F = S.getIf<For>())
        for (SharedReduction &R : F->Reductions)
          if (auto It = Names.Tensors.find(R.Target); It != Names.Tensors.end())
            R.Target = It->second;
      if (auto *A = S.getIf<Alloc>())
        Sizes[A->T] = A->Extents;
      const auto *Sc = S.getIf<Scope>();
      for (Block *Nested : nestedBlocks(S))
        *Nested = run(std::move(*Nested), Sc ? Sc->Instance.get() : Instance);
      Out.push_back(std::move(S));
    }
    return Out;
  }
};

} // namespace

void inlineAliases(Block &B) { B = Inliner().run(std::move(B), nullptr); }

} // namespace septran::compiler
