//===- WholeBlocks.cpp - blocks that nothing clips ------------------------===//
//
// The last block of a dimension is clipped, unless its extent is a multiple of the block. Where
// that can be proven, all blocks have their nominal size, which is a constant more often than not:
// loops over them need no ends, and copies of them no conditions. A dimension of extent 0 has an
// empty block 0: of such a dimension nothing is proven. Neither is a block clipped that a loop
// around keeps away from the end of the dimension, as every one of single elements; that counts for
// tiles in registers alone, whose code it spares conditions in the innermost loops.
//
//===----------------------------------------------------------------------===//
#include "Plan/WholeBlocks.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/OperandLayout.h"
#include "Plan/RegisterTiles.h"

#include <set>

namespace septran::compiler {

namespace {

bool isWhole(const Slice &S, const View &V, unsigned Dim, const TensorTable &Tensors) {
  const std::optional<std::int64_t> Block = S.Block ? constantValue(S.Block) : std::nullopt;
  if (!Block || constantValue(S.Extent) == Block)
    return false;
  const Expr All = expandExtents(extentOf(V.Base, Dim), Tensors);
  return provablyMultiple(All, *Block, Tensors) && provablyLessEqual(intLit(1), All);
}

/// The block is never the last one of its dimension. `Known` has the loops around.
bool isBeforeEnd(const Slice &S, const View &V, unsigned Dim, const TensorTable &Tensors,
                 const Facts &Known) {
  if (!S.Block || !constantValue(S.Block) || constantValue(S.Extent) == constantValue(S.Block))
    return false;
  const Expr All = expandExtents(extentOf(V.Base, Dim), Tensors);
  return provablyLessEqual(S.Block, All - expandExtents(S.Offset, Tensors), Known);
}

/// Loops, and the scope of one task in them, are all that stands between the block and a tile.
bool runsTile(const Block &B, llvm::function_ref<bool(const TensorRef &)> IsTile,
              bool InScope = false) {
  for (const Stmt &S : B) {
    if (const auto *A = S.getIf<Alloc>(); A && IsTile(A->T))
      return true;
    if (const auto *F = S.getIf<For>(); F && runsTile(F->Body, IsTile, InScope))
      return true;
    if (const auto *Sc = S.getIf<Scope>(); Sc && !InScope && runsTile(Sc->Body, IsTile, true))
      return true;
  }
  return false;
}

class Walk {
  const llvm::function_ref<bool(const TensorRef &)> IsTile;
  Facts Known;                ///< of the loops around
  std::set<VarRef> OverTiles; ///< those that run one tile in every iteration
  bool Changed = false;

  /// min(rest of the dimension, block) is the block where the rest is never less.
  Expr unclipped(const Expr &E, const TensorTable &Tensors) const {
    return rewriteExpr(E, [&](const Expr &N) -> Expr {
      if (N->Kind != ExprKind::Binary || N->Bin != BinaryOp::Min)
        return nullptr;
      for (unsigned Side : {0u, 1u})
        if (constantValue(N->Args[Side]) &&
            provablyLessEqual(N->Args[Side], expandExtents(N->Args[1 - Side], Tensors), Known))
          return N->Args[Side];
      return nullptr;
    });
  }

  void block(Block &B, const TensorTable &Tensors) {
    for (Stmt &S : B) {
      forEachView(S, [&](View &V) {
        for (unsigned Dim = 0; Dim < V.Slices.size(); ++Dim) {
          const Slice &Part = V.Slices[Dim];
          const bool OverTile = Part.Index && Part.Index->Kind == ExprKind::Var &&
                                OverTiles.count(Part.Index->V) != 0;
          if (V.Fill || !(isWhole(Part, V, Dim, Tensors) ||
                          (OverTile && isBeforeEnd(Part, V, Dim, Tensors, Known))))
            continue;
          V.Slices[Dim].Extent = V.Slices[Dim].Block;
          Changed = true;
        }
      });
      if (auto *A = S.getIf<Alloc>())
        for (Expr &E : A->Extents)
          E = unclipped(E, Tensors);
      auto *F = S.getIf<For>();
      if (F && F->Hi->Kind == ExprKind::Binary && F->Hi->Bin == BinaryOp::CeilDiv)
        if (const auto Blocks = constantValue(simplify(expandExtents(F->Hi, Tensors))))
          F->Hi = intLit(*Blocks, F->Hi->Type);
      if (F)
        Known[F->V] = {expandExtents(F->Lo, Tensors), expandExtents(F->Hi, Tensors)};
      if (F && runsTile(F->Body, IsTile))
        OverTiles.insert(F->V);
      for (Block *Nested : nestedBlocks(S))
        block(*Nested, Tensors);
      if (F)
        Known.erase(F->V);
    }
  }

public:
  explicit Walk(llvm::function_ref<bool(const TensorRef &)> IsTile) : IsTile(IsTile) {}

  bool run(Block &B) {
    Changed = false;
    block(B, TensorTable(B));
    return Changed;
  }
};

} // namespace

void wholeBlocks(Block &B, llvm::function_ref<bool(const TensorRef &)> IsTile) {
  while (Walk(IsTile).run(B)) { // what is a block of these may be whole now
  }
}

} // namespace septran::compiler
