//===- WindowReads.cpp - what leaves read of windows in place -------------===//
#include "Plan/WindowReads.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/RegisterTiles.h"

namespace septran::compiler {

Expr isInside(const Expr &Index, const Expr &Extent) {
  return binary(BinaryOp::And, binary(BinaryOp::Le, intLit(0), Index),
                binary(BinaryOp::Lt, Index, Extent));
}

Expr both(const Expr &A, const Expr &B) { return A ? binary(BinaryOp::And, A, B) : B; }

Expr WindowPlace::condition() const { return isInside(Index, Extent); }

const WindowInPlace *WindowReads::windowOf(TensorRef T) const {
  while (T) {
    if (auto Found = InPlace.find(T); Found != InPlace.end())
      return &Found->second;
    const View *V = Tensors.definition(T);
    T = V ? V->Base : nullptr;
  }
  return nullptr;
}

std::vector<Expr> WindowReads::in(const Expr &E) const {
  std::vector<Expr> Found;
  walkExprs(E, [&](const Expr &N) {
    if (isOne(N))
      Found.push_back(N);
  });
  return Found;
}

std::vector<Expr> WindowReads::in(const Block &B) const {
  std::vector<Expr> Found;
  walkExprs(B, [&](const Expr &N) {
    if (isOne(N))
      Found.push_back(N);
  });
  return Found;
}

bool WindowReads::areInTile(llvm::ArrayRef<Stmt> Stmts) const {
  bool Found = false;
  walkStmts(Stmts, [&](const Stmt &S) {
    const auto *F = S.getIf<For>();
    Found |= F && F->StaticTrip && !in(F->Body).empty();
  });
  return Found;
}

std::vector<WindowPlace> WindowReads::placesOf(const Expr &Load) const {
  std::vector<WindowPlace> Result;
  std::vector<Expr> Indices = Load->Args;
  TensorRef T = Load->T;
  while (const View *V = Tensors.definition(T)) {
    Indices = baseIndices(*V, Indices);
    if (V->Fill)
      for (unsigned Dim = 0; Dim < Indices.size(); ++Dim)
        if (const Slice &S = V->Slices[Dim]; S.Low || S.High)
          Result.push_back({simplify(Indices[Dim]), expandExtents(extentOf(V->Base, Dim), Tensors),
                            V->Fill, V});
    T = V->Base;
  }
  return Result;
}

} // namespace septran::compiler
