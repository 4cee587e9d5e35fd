//===- EmptyBlocks.cpp - what a task does on blocks without elements ------===//
#include "Plan/EmptyBlocks.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Logic/TaskGraph.h"

#include <algorithm>

namespace septran::compiler {

namespace {

class Search {
  std::vector<Expr> Zero; ///< expressions that are 0

  bool isZero(const Expr &E) const {
    Expr Known = rewriteExpr(E, [this](const Expr &N) -> Expr {
      for (const Expr &Z : Zero)
        if (equal(N, Z))
          return intLit(0, N->Type);
      return nullptr;
    });
    return provablyLessEqual(Known, intLit(0));
  }

  void learn(const TensorRef &T, unsigned Dim, const Expr &Extent) {
    if (isZero(Extent))
      Zero.push_back(extentOf(T, Dim));
  }

  /// Takes elements that only are there because the loop runs, such as the row of the block's
  /// number.
  bool mayReachOutside(const View &V) const {
    for (const Slice &S : V.Slices)
      if (!V.Fill && constantValue(S.Offset) && constantValue(S.Extent).value_or(0) > 0)
        return true;
    return false;
  }

  bool launch(const Function &Callee, const std::vector<Launch::Argument> &Args) const {
    Search Inside;
    for (size_t I = 0; I < Args.size(); ++I) {
      const Parameter &P = Callee.Params[I];
      if (!P.isTensor())
        continue;
      const View &V = Args[I].Tensor;
      if (mayReachOutside(V))
        return false;
      for (unsigned D = 0; D < V.rank(); ++D)
        if (isZero(V.extent(D)))
          Inside.Zero.push_back(extentOf(P.Tensor, D));
    }
    return Callee.Kind != FunctionKind::OpaqueLeaf && Inside.block(Callee.Body);
  }

  /// An element is looked at or written.
  static bool touchesElement(const Stmt &S) {
    bool Touches = S.getIf<Store>() != nullptr;
    forEachExpr(S, [&](const Expr &E) {
      walkExprs(E, [&](const Expr &N) { Touches |= N->Kind == ExprKind::Load; });
    });
    return Touches;
  }

  bool statement(const Stmt &S) {
    if (touchesElement(S))
      return false;
    if (const auto *F = S.getIf<For>())
      return isZero(F->Hi - F->Lo) || block(F->Body);
    if (const auto *C = S.getIf<If>())
      return block(C->Then) && block(C->Else);
    if (const auto *D = S.getIf<Define>()) {
      for (unsigned Dim = 0; Dim < D->T->Rank; ++Dim)
        learn(D->T, Dim, D->Value.extent(Dim));
      return !mayReachOutside(D->Value);
    }
    if (const auto *L = S.getIf<Local>()) {
      for (unsigned Dim = 0; Dim < L->T->Rank; ++Dim)
        learn(L->T, Dim, L->Extents[Dim]);
      return true;
    }
    if (const auto *L = S.getIf<Launch>())
      return launch(*L->Callee, L->Args);
    return S.getIf<Let>() || S.getIf<Assign>();
  }

public:
  Search() = default;
  explicit Search(const Expr &Extent) : Zero{Extent} {}

  bool block(const Block &B) {
    return std::all_of(B.begin(), B.end(), [this](const Stmt &S) { return statement(S); });
  }
};

} // namespace

bool doesNothingWithout(const Expr &Extent, const Block &Body) {
  return Search(Extent).block(Body);
}

} // namespace septran::compiler
