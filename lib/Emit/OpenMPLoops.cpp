//===- OpenMPLoops.cpp - loops over blocks --------------------------------===//
#include "Emit/OpenMPEmitter.h"
#include "IR/Affine.h"
#include "Plan/Accumulators.h"
#include "Plan/Unroll.h"

namespace septran::compiler {

void OpenMPEmitter::emitLoop(const For &F) {
  if (emitMove(F))
    return;
  if (const std::optional<JoinedRows> Rows = rowsToJoin(F)) {
    emitJoinedRows(*Rows);
    return;
  }
  if (F.Exec == LoopExec::Lanes) {
    if (!emitForRows(F, F))
      emitLaneLoop(F);
    return;
  }
  if (F.InStep > 1 && !asksAhead(F)) {
    emitInStep(F);
    return;
  }
  if (!F.Spread.empty() && !InParallel) {
    emitSpreadLoop(F);
    return;
  }
  if (const For *InLanes = sumsThroughout(F); InLanes && Sums.Loop != InLanes) {
    if (!emitForRows(F, *InLanes))
      emitAroundSums(F, *InLanes);
    return;
  }
  const size_t RowsAround = Rows.size();
  if (!F.StaticTrip && Rows.empty())
    emitRowPointers(F);
  std::map<TensorRef, Storage> Strides = hideStrides(F);
  std::string Lo = text(wide(F.Lo)), Hi = boundText(endOf(F));
  Strides.merge(holdOperands(F, Hi));
  bool Guarded = false;
  const bool IsPart = isPart(F);
  const bool HoldsVectors =
      Held.empty() && F.Exec == LoopExec::Unrolled && (InPart || reloadsVectors(F));
  if (HoldsVectors)
    holdVectors(F);
  std::string First = Lo, End = Hi;
  if (F.Exec == LoopExec::Unrolled && F.StaticTrip) {
    W.line("#pragma GCC unroll 64");
    Guarded = !isWhole(F);
    if (Guarded) {
      Guards.push_back({F.V, F.Hi});
      Printer.keepInRegister(F.V);
    }
    if (IsPart)
      Lo = "0";
    Hi = std::to_string(F.StaticTrip);
  }
  if (Sums.Loop && !unrollOf(F)) // clang++ would write the loop in lanes twice, and twice as slow
    W.line("#pragma GCC unroll 1");
  emitUnroll(F);
  std::string V = Names.define(F.V);
  std::string Step = F.Step == 1 ? "++" + V : V + " += " + std::to_string(F.Step);
  W.open("for (std::ptrdiff_t " + V + " = " + Lo + "; " + V + " < " + Hi + "; " + Step + ")");
  if (IsPart)
    W.open("if (" + First + " <= " + V + " && " + V + " < " + End + ")");
  Loops.push_back(&F);
  if (!F.StaticTrip) {
    emitLeafPrefetches(F, F.Step);
    emitRowIndices(F);
  }
  emitPart(F.Body);
  if (!F.StaticTrip) {
    RowIndices.clear();
    RowVariables.Vars.clear();
  }
  Loops.pop_back();
  if (IsPart)
    W.close();
  W.close();
  if (HoldsVectors)
    Held.clear();
  for (const auto &[T, S] : Strides)
    Stores[T] = S;
  if (Guarded)
    std::erase_if(Guards, [&](const auto &G) { return G.first == F.V; });
  Rows.resize(RowsAround);
}

std::int64_t OpenMPEmitter::unrollOf(const For &F) const {
  return Instances.empty() ? 0 : unrollCount(F, *Instances.back());
}

void OpenMPEmitter::emitUnroll(const For &F) {
  const std::int64_t Count = unrollOf(F);
  if (Count > 1 && InParallel && !InLambda && !OnCopy)
    W.line("cpu::unroll_in_region();");
  if (Count)
    W.line("#pragma GCC unroll " + std::to_string(Count));
}

} // namespace septran::compiler
