//===- EmptyLoops.cpp - loops that never run ------------------------------===//
//
// Where a mapping limits an extent, further steps of a loop that covers it may have nothing to do: of
// up to 512 steps of K, those behind the first 512.
//
//===----------------------------------------------------------------------===//
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/RegisterTiles.h"
#include "Plan/Simplify.h"
#include "Plan/TensorTable.h"

namespace septran::compiler {

static void dropEmptyLoops(Block &B, const TensorTable &Tensors, std::vector<RewriteRecord> &Log) {
  for (size_t I = 0; I < B.size();) {
    const auto *F = B[I].getIf<For>();
    const auto Most = F ? upperBound(simplify(expandExtents(F->Hi, Tensors))) : std::nullopt;
    const auto Least = F ? lowerBound(simplify(expandExtents(F->Lo, Tensors))) : std::nullopt;
    if (Most && Least && *Most <= *Least) {
      Log.push_back({"simplify", "dropped", "loop over '" + F->V->Name + "': never runs", B[I].Loc});
      B.erase(B.begin() + std::ptrdiff_t(I));
      continue;
    }
    for (Block *Nested : nestedBlocks(B[I]))
      dropEmptyLoops(*Nested, Tensors, Log);
    ++I;
  }
}

void dropEmptyLoops(Block &B, std::vector<RewriteRecord> &Log) {
  const TensorTable Tensors(B);
  dropEmptyLoops(B, Tensors, Log);
}

} // namespace septran::compiler
