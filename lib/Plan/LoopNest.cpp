//===- LoopNest.cpp - loops nested directly in each other -----------------===//
#include "Plan/LoopNest.h"

#include "IR/Rewrite.h"
#include "Plan/LoopAnalysis.h"

#include <algorithm>
#include <utility>

namespace septran::compiler {

Nest perfectNest(For &F) {
  Nest N{&F};
  while (N.back()->Body.size() == 1)
    if (For *Inner = N.back()->Body.front().getIf<For>())
      N.push_back(Inner);
    else
      break;
  return N;
}

bool holdsLoops(const Block &B) {
  bool Found = false;
  walkStmts(B, [&](const Stmt &S) { Found |= S.getIf<For>() != nullptr; });
  return Found;
}

std::optional<std::int64_t> constantTrip(const For &F) {
  const std::optional<std::int64_t> Lo = constantValue(F.Lo), Hi = constantValue(F.Hi);
  if (!Lo || !Hi)
    return std::nullopt;
  return std::max<std::int64_t>(0, (*Hi - *Lo + F.Step - 1) / F.Step);
}

bool freelyPermutable(const Nest &N, const TensorTable &Tensors) {
  for (const For *F : N) {
    if (analyzeLoop(*F, Tensors).Class == LoopClass::Sequential)
      return false;
    for (const For *G : N)
      if (mentions(F->Lo, G->V) || mentions(F->Hi, G->V))
        return false;
  }
  return !holdsLoops(N.back()->Body);
}

For countedLoop(const VarRef &V, Expr Hi, Block Body) {
  For F;
  F.V = V;
  F.Lo = intLit(0);
  F.Hi = std::move(Hi);
  F.Body = std::move(Body);
  return F;
}

void copyHeader(const For &From, For &To) {
  To.V = From.V;
  To.Lo = From.Lo;
  To.Hi = From.Hi;
  To.Step = From.Step;
  To.Kind = From.Kind;
  To.Group = From.Group;
  To.Exec = From.Exec;
  To.Width = From.Width;
  To.StaticTrip = From.StaticTrip;
  To.Parts = From.Parts;
}

void swapHeaders(For &A, For &B) {
  For OfA;
  copyHeader(A, OfA);
  copyHeader(B, A);
  copyHeader(OfA, B);
}

} // namespace septran::compiler
