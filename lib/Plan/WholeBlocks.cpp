//===- WholeBlocks.cpp - blocks that nothing clips ------------------------===//
//
// The last block of a dimension is clipped, unless its extent is a multiple of the block. Where
// that can be proven, all blocks have their nominal size, which is a constant more often than not:
// loops over them need no ends, and copies of them no conditions. A dimension of extent 0 has an
// empty block 0: of such a dimension nothing is proven. Neither is a block clipped that a loop
// around keeps away from the end of the dimension, as every one of single elements.
//
//===----------------------------------------------------------------------===//
#include "Plan/WholeBlocks.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/OperandLayout.h"
#include "Plan/RegisterTiles.h"

namespace septran::compiler {

namespace {

/// `Known` has the loops around.
bool isWhole(const Slice &S, const View &V, unsigned Dim, const TensorTable &Tensors,
             const Facts &Known) {
  const std::optional<std::int64_t> Block = S.Block ? constantValue(S.Block) : std::nullopt;
  if (!Block || constantValue(S.Extent) == Block)
    return false;
  const Expr All = expandExtents(extentOf(V.Base, Dim), Tensors);
  if (provablyLessEqual(intLit(1), All) && provablyMultiple(All, *Block, Tensors))
    return true;
  return provablyLessEqual(S.Block, All - expandExtents(S.Offset, Tensors), Known);
}

class Walk {
  Facts Known; ///< of the loops around
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
          if (V.Fill || !isWhole(V.Slices[Dim], V, Dim, Tensors, Known))
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
      for (Block *Nested : nestedBlocks(S))
        block(*Nested, Tensors);
      if (F)
        Known.erase(F->V);
    }
  }

public:
  bool run(Block &B) {
    Changed = false;
    block(B, TensorTable(B));
    return Changed;
  }
};

} // namespace

void wholeBlocks(Block &B) {
  while (Walk().run(B)) { // what is a block of these may be whole now
  }
}

} // namespace septran::compiler
