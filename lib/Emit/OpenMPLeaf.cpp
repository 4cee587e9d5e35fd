//===- OpenMPLeaf.cpp - element code, one element at a time ---------------===//
//
// Inside a clipped register tile, loops run their full constant trip count so that they unroll. The
// iterations beyond the tile compute on whatever a clamped index reads and are never stored: loads
// from memory clamp guarded variables, stores to memory and updates that several iterations share
// are guarded by a condition.
//
//===----------------------------------------------------------------------===//
#include "Emit/OpenMPEmitter.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"

namespace septran::compiler {

std::vector<Expr> OpenMPEmitter::clamped(const std::vector<Expr> &Indices) const {
  if (Guards.empty())
    return Indices;
  Substitution S;
  for (const auto &[V, Limit] : Guards)
    S.Vars[V] = minExpr(varExpr(V), Limit - intLit(1));
  std::vector<Expr> Result;
  for (const Expr &I : Indices)
    Result.push_back(substitute(I, S));
  return Result;
}

Expr OpenMPEmitter::guardOf(const std::vector<Expr> &Indices, bool IsTile) const {
  Expr Condition;
  for (const auto &[V, Limit] : Guards) {
    bool Indexed = false;
    for (const Expr &I : Indices)
      Indexed |= mentions(I, V);
    if (IsTile && Indexed)
      continue; // every iteration has its own element of the tile
    Expr Inside = binary(BinaryOp::Lt, varExpr(V), Limit);
    Condition = Condition ? binary(BinaryOp::And, Condition, Inside) : Inside;
  }
  return Condition;
}

OpenMPEmitter::Unguarded::Unguarded(OpenMPEmitter &E, const Expr &Condition)
    : Emitter(E), Saved(E.Guards) {
  if (!Condition)
    return;
  Prefix = "if (" + E.text(Condition) + ")\n";
  std::erase_if(E.Guards, [&](const auto &G) { return mentions(Condition, G.first); });
}

void OpenMPEmitter::emitStore(const Store &S) {
  const Storage &To = storageFor(S.T);
  const Unguarded Free(*this, guardOf(S.Indices, To.IsTile));
  std::string Target = To.IsTile ? tileElement(To, S.Indices) : elementText(To, S.Indices);
  std::string Value = text(S.Value);
  if (S.Value->Type != S.T->Element && isSmallFloat(S.T->Element))
    Value = std::string(cxxName(S.T->Element)) + "(" + Value + ")";
  W.line(Free.Prefix +
         updateText(S.Op, Target, Value, scalarCombine(S.Op, Target, Value, S.T->Element)));
}

void OpenMPEmitter::emitAssign(const Assign &A) {
  const Unguarded Free(*this, guardOf({}, false));
  const std::string &Target = Names.name(A.V);
  std::string Value = text(A.Value);
  W.line(Free.Prefix +
         updateText(A.Op, Target, Value, scalarCombine(A.Op, Target, Value, A.V->Type)));
}

} // namespace septran::compiler
