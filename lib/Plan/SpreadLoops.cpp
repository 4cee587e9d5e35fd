//===- SpreadLoops.cpp - which parallel loops leave the processor ---------===//
#include "Plan/SpreadLoops.h"

#include "Plan/LoopOrder.h"

namespace septran::compiler {

namespace {

/// The outermost level inside `Depth` on which something launched in B runs, or "".
std::string launchedLevel(const Block &B, unsigned Depth) {
  std::string Level;
  unsigned Best = ~0u;
  auto Visit = [&](const Block &Inner, auto &Self) -> void {
    for (const Stmt &S : Inner) {
      if (const auto *Sc = S.getIf<Scope>()) {
        if (Sc->Instance->Depth > Depth && Sc->Instance->Depth < Best) {
          Best = Sc->Instance->Depth;
          Level = Sc->Instance->Proc;
        } else if (Sc->Instance->Depth == Depth)
          Self(Sc->Body, Self);
      } else if (const auto *F = S.getIf<For>()) {
        if (F->Spread.empty()) // else an inner instance spreads by itself
          Self(F->Body, Self);
      } else if (const auto *C = S.getIf<If>()) {
        Self(C->Then, Self);
        Self(C->Else, Self);
      }
    }
  };
  Visit(B, Visit);
  return Level;
}

bool parallelizeEnabled(const InstanceInfo &I) {
  return !I.Settings || !I.Settings->Parallelize || I.Settings->Parallelize->Value.Enabled;
}

} // namespace

void spreadLoops(Block &B, const InstanceInfo &I, const Machine &Target) {
  if (!parallelizeEnabled(I))
    return;
  for (Stmt &S : B) {
    if (auto *C = S.getIf<If>()) {
      spreadLoops(C->Then, I, Target);
      spreadLoops(C->Else, I, Target);
    }
    auto *F = S.getIf<For>();
    if (!F)
      continue;
    std::string Level = F->Kind == LoopKind::Parallel ? launchedLevel(F->Body, I.Depth) : "";
    const Processor *Proc = Level.empty() ? nullptr : Target.findProcessor(Level);
    if (!Proc || Proc->LoopSpread.Value == Processor::Spread::Lanes ||
        Proc->LoopSpread.Value == Processor::Spread::Sequential) {
      spreadLoops(F->Body, I, Target);
      continue;
    }
    for (For *G : parallelGroup(*F))
      G->Spread = Level;
  }
}

} // namespace septran::compiler
