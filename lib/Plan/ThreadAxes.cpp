//===- ThreadAxes.cpp - dimensions and loops that threads share alike -----===//
#include "Plan/ThreadAxes.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/Kernels.h"

#include <algorithm>

namespace septran::compiler {

bool isCombinable(const For &F) {
  DefinedSymbols Inside = definedIn(F.Body);
  bool Simple = true;
  walkStmts(F.Body, [&](const Stmt &S) {
    if (const auto *St = S.getIf<Store>()) {
      const bool Moves = std::any_of(St->Indices.begin(), St->Indices.end(),
                                     [&](const Expr &I) { return mentions(I, F.V); });
      for (const Expr &I : St->Indices)
        Simple &= Moves || !mentionsAny(I, Inside);
    }
    Simple &= !S.getIf<OpaqueCall>() && !S.getIf<PrimitiveCall>();
  });
  return Simple;
}

unsigned ThreadAxes::find(unsigned Node) {
  while (Parent[Node] != Node)
    Node = Parent[Node] = Parent[Parent[Node]];
  return Node;
}

unsigned ThreadAxes::add(ThreadAxis A) {
  Parent.push_back(unsigned(Parent.size()));
  Axes.push_back(std::move(A));
  return unsigned(Axes.size() - 1);
}

void ThreadAxes::unite(unsigned A, unsigned B) {
  A = find(A), B = find(B);
  if (A == B)
    return;
  Parent[B] = A;
  Axes[A].Bound = std::max(Axes[A].Bound, Axes[B].Bound);
  Axes[A].Whole |= Axes[B].Whole;
  Axes[A].Reduced |= Axes[B].Reduced;
}

ThreadAxis &ThreadAxes::of(const TensorRef &Tile, unsigned Dim) {
  auto [It, New] = OfDim.try_emplace({Tile, Dim}, 0);
  if (New) {
    ThreadAxis A;
    A.Bound = Tiles.at(Tile).Bounds[Dim];
    A.Whole = A.Bound <= 1;
    It->second = add(std::move(A));
  }
  return Axes[find(It->second)];
}

ThreadAxis *ThreadAxes::of(const For &F) {
  auto It = OfLoop.find(&F);
  return It == OfLoop.end() ? nullptr : &Axes[find(It->second)];
}

void ThreadAxes::note(const TensorRef &T, std::vector<Expr> Indices,
                      const std::vector<For *> &Loops, const Location &Loc) {
  TensorRef Root = T;
  for (const View *V = Tensors.definition(Root); V; V = Tensors.definition(Root)) {
    if (Tiles.count(Tensors.root(T)) && (V->Fill || !V->Reshape.empty())) {
      reportInKernel(Loc, "a reshaped or padded view of '" + Root->Name + "'", "blocks", D);
      return;
    }
    if (V->Fill || !V->Reshape.empty())
      return;
    Indices = baseIndices(*V, Indices);
    Root = V->Base;
  }
  if (!Tiles.count(Root))
    return;
  for (unsigned Dim = 0; Dim < Indices.size(); ++Dim) {
    const Expr I = simplify(cast(ScalarType::I64, Indices[Dim]));
    ThreadAxis &A = of(Root, Dim);
    if (constantValue(I)) {
      A.Whole = true;
      continue;
    }
    auto Walks = std::find_if(Loops.begin(), Loops.end(), [&](const For *F) {
      return I->Kind == ExprKind::Var && F->V == I->V && isConstant(F->Lo, 0) && F->Step == 1;
    });
    DefinedSymbols Own;
    for (const For *F : Loops)
      Own.Vars.insert(F->V);
    bool Outer = false; // a loop around the leaf says which part
    walkExprs(I, [&](const Expr &E) { Outer |= E->Kind == ExprKind::Var && !Own.Vars.count(E->V); });
    if (Walks == Loops.end() && Outer && Root != T) {
      reportInKernel(Loc, "'" + T->Name + "', a part of '" + Root->Name + "', which lies in registers",
                     "'" + Root->Name + "' in a memory with addresses, and '" + T->Name +
                         "' in registers of its own instance",
                     D);
      A.Whole = true;
      return;
    }
    if (Walks == Loops.end()) {
      reportInKernel(Loc, "index " + toString(I) + " of '" + T->Name + "', which lies in registers",
                     "a variable of a leaf's loop that begins at 0, or place it elsewhere", D);
      A.Whole = true;
      continue;
    }
    For *F = *Walks;
    auto [It, New] = OfLoop.try_emplace(F, 0);
    if (New) {
      ThreadAxis Loop;
      const LoopClass Class = analyzeLoop(*F, Tensors).Class;
      Loop.Reduced = Class == LoopClass::Reduction;
      Loop.Whole = Class == LoopClass::Sequential || (Loop.Reduced && !isCombinable(*F));
      It->second = add(std::move(Loop));
    }
    unite(OfDim.at({Root, Dim}), It->second);
  }
}

} // namespace septran::compiler
