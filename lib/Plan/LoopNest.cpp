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

void swapHeaders(For &A, For &B) {
  std::swap(A.V, B.V);
  std::swap(A.Lo, B.Lo);
  std::swap(A.Hi, B.Hi);
  std::swap(A.Step, B.Step);
  std::swap(A.Kind, B.Kind);
  std::swap(A.Group, B.Group);
  std::swap(A.Exec, B.Exec);
  std::swap(A.Width, B.Width);
  std::swap(A.StaticTrip, B.StaticTrip);
  std::swap(A.Parts, B.Parts);
}

} // namespace septran::compiler
