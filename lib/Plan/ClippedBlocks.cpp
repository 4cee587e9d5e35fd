//===- ClippedBlocks.cpp - register tiles at the ends of tensors ----------===//
#include "Plan/ClippedBlocks.h"

#include "IR/Rewrite.h"

#include <algorithm>

namespace septran::compiler {

std::vector<BlockExtent> blockExtents(const Expr &Condition) {
  std::vector<BlockExtent> Result;
  if (Condition->Kind != ExprKind::Binary)
    return Result;
  if (Condition->Bin == BinaryOp::And) {
    for (const Expr &Side : Condition->Args)
      for (BlockExtent &Found : blockExtents(Side))
        Result.push_back(std::move(Found));
  } else if (Condition->Bin == BinaryOp::Eq) {
    if (const std::optional<std::int64_t> Whole = constantValue(Condition->Args[1]))
      Result.push_back({Condition->Args[0], *Whole});
  }
  return Result;
}

bool callsPrimitive(const Block &B) {
  bool Found = false;
  walkStmts(B, [&](const Stmt &S) { Found |= S.getIf<PrimitiveCall>() != nullptr; });
  return Found;
}

std::int64_t blockWidth(std::int64_t Whole, const Expr &End, const Block &Code) {
  std::int64_t Width = 0;
  walkStmts(Code, [&](const Stmt &S) {
    const auto *F = S.getIf<For>();
    if (F && F->Exec == LoopExec::Lanes && equal(withoutCasts(F->Hi), End))
      Width = std::max<std::int64_t>(Width, F->Width);
  });
  return Width > 0 && Width < Whole ? Width : Whole;
}

std::int64_t computedStep(const std::vector<BlockExtent> &Extents, size_t Dim, const Block &Code) {
  const BlockExtent &E = Extents[Dim];
  const auto Steps = [&](std::int64_t Count, std::int64_t Of) { return (Of + Count - 1) / Count; };
  if (Dim + 1 == Extents.size()) {
    const std::int64_t Width = blockWidth(E.Whole, E.Extent, Code);
    return Steps(4, E.Whole / Width) * Width;
  }
  return Dim + 2 == Extents.size() ? Steps(3, E.Whole) : E.Whole;
}

} // namespace septran::compiler
