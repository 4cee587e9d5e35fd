//===- ThreadGroups.cpp - which threads of a kernel do a statement --------===//
#include "Plan/ThreadGroups.h"

#include "IR/Rewrite.h"
#include "Plan/Distribute.h"

namespace septran::compiler {

bool inRegisters(const TensorRef &T, const TensorTable &Tensors, const Machine &M) {
  const Memory *Mem = M.findMemory(Tensors.root(T)->Memory);
  return Mem && Mem->Registers.has_value();
}

bool dividesThreads(Stmts B) {
  bool Divides = false;
  walkStmts(B, [&](const Stmt &S) {
    if (const auto *F = S.getIf<For>())
      Divides |= F->Exec == LoopExec::Threads && threadBits(F->Parts) != 0;
  });
  return Divides;
}

bool isForOne(Stmts B, const TensorTable &Tensors, const Machine &M) {
  if (dividesThreads(B))
    return false;
  const DefinedSymbols Inside = definedIn(B);
  bool Alone = true, Writes = false;
  walkStmts(B, [&](const Stmt &S) {
    if (const auto *A = S.getIf<Assign>())
      Alone &= Inside.Vars.count(A->V) != 0;
    if (const auto *St = S.getIf<Store>()) {
      const bool Registers = inRegisters(St->T, Tensors, M);
      Alone &= !Registers;
      Writes |= !Registers;
    }
    Alone &= !S.getIf<Barrier>() && !S.getIf<PrimitiveCall>() && !S.getIf<Alloc>();
  });
  return Alone && Writes;
}

bool needsAllThreads(const Block &B, const TensorTable &Tensors) {
  bool Needs = false;
  walkStmts(B, [&](const Stmt &S) {
    if (const auto *F = S.getIf<For>())
      Needs |= combinesThreads(*F, Tensors);
    Needs |= S.getIf<Barrier>() != nullptr || S.getIf<PrimitiveCall>() != nullptr;
  });
  return Needs;
}

} // namespace septran::compiler
