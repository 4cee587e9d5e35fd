//===- LoopsOfLeaf.cpp - the outer loops of a leaf ------------------------===//
#include "Logic/LoopsOfLeaf.h"

#include "IR/Affine.h"

#include <utility>

namespace septran::compiler {

Expr onlyTerm(const Expr &E) {
  const std::optional<Affine> A = affineForm(E);
  const bool IsTerm = A && A->Terms.size() == 1 && A->Constant == 0 && A->Terms[0].second == 1;
  return IsTerm ? A->Terms[0].first : nullptr;
}

LoopsOfLeaf::LoopsOfLeaf(const Block &Body) : Inner(&Body) {
  while (Inner->size() == 1) {
    const auto *F = Inner->front().getIf<For>();
    const Expr End = F && F->Step == 1 && isConstant(F->Lo, 0) ? onlyTerm(F->Hi) : nullptr;
    if (!End || End->Kind != ExprKind::Extent)
      break;
    Loops.push_back({F->V, End->T, End->Dim, F->Kind, F->Group, Inner->front().Loc});
    Inner = &F->Body;
  }
}

Block LoopsOfLeaf::around(Block Body, const std::vector<Expr> &Ends) const {
  for (size_t I = Loops.size(); I > 0; --I) {
    const Loop &L = Loops[I - 1];
    For F;
    F.V = L.V;
    F.Lo = intLit(0, L.V->Type);
    F.Hi = Ends[I - 1];
    F.Kind = L.Kind;
    F.Group = L.Group;
    F.Body = std::exchange(Body, {});
    Body.push_back({std::move(F), L.Loc});
  }
  return Body;
}

} // namespace septran::compiler
