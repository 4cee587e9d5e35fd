//===- Allocate.cpp - buffers against the capacity of their memory --------===//
//
// Sums what lives at once in every bounded memory (MemoryUse.h) and reports what does not fit, with the
// sum spelled out, at the mapping line of the largest buffer. Buffers whose size is only known at run
// time are left out of the sum. Memories whose declarations ask for an {offset} get one for every
// buffer; space is handed out like a stack, so that blocks that run one after the other share it.
//
//===----------------------------------------------------------------------===//
#include "IR/Rewrite.h"
#include "Plan/MemoryUse.h"
#include "Plan/Passes.h"
#include "Plan/Scratchpads.h"

#include <algorithm>

namespace septran::compiler {

namespace {

/// `A (argument 'A' of gemm_ksteps) 64 x 256 f32 = 65536`.
std::string describe(const BufferUse &B) {
  std::string Text = "'" + B.T->Name + "' (" + (B.Reason.empty() ? "buffer" : B.Reason) + ") ";
  for (size_t D = 0; D < B.Bounds.size(); ++D)
    Text += (D ? " x " : "") + std::to_string(B.Bounds[D]);
  return Text + (B.Bounds.empty() ? "" : " ") + std::string(shortName(B.T->Element)) + " = " +
         std::to_string(*B.Amount);
}

/// The level that has as much of the memory as the sum is compared with.
std::string holderOf(const MemoryUse &U, const Machine &Target) {
  std::optional<size_t> Owner = Target.depthOf(U.In->Owner.Value);
  if (U.FileShare && U.each() == U.FileShare)
    return U.In->Owner.Value + " of " + std::to_string(U.Threads);
  return U.Shared && Owner && *Owner > 0 ? Target.Processors[*Owner - 1].Name.Value : U.In->Owner.Value;
}

void reportOverflow(const MemoryUse &U, const Machine &Target, Diagnostics &D) {
  const BufferUse *Largest = nullptr;
  std::string Sum;
  for (size_t I : U.Worst) {
    const BufferUse &B = U.Buffers[I];
    Sum += (Sum.empty() ? "" : " + ") + describe(B);
    if (!Largest || *B.Amount > *Largest->Amount)
      Largest = &B;
  }
  if (!Largest)
    return;
  Diagnostic &Error = D.report(DiagID::MemoryCapacity, Largest->Loc, U.In->Name.Value, *U.available(),
                               U.inRegisters(), holderOf(U, Target), U.Needed, Sum, "");
  Error.note(DiagID::NoteDeclared, U.In->Name.Loc, U.In->Name.Value);
}

bool asksForOffsets(const Memory &M) {
  return M.Declare.Value.find("{offset}") != std::string::npos;
}

} // namespace

std::optional<Program> allocate(Program P, Diagnostics &D) {
  unsigned ErrorsBefore = D.errorCount();
  fixBufferSizes(P);
  std::map<TensorRef, std::int64_t> Offsets;
  for (const MemoryUse &U : memoryUse(P)) {
    if (U.available() && U.Needed > *U.available())
      reportOverflow(U, *P.Target, D);
    if (asksForOffsets(*U.In))
      for (const BufferUse &B : U.Buffers)
        Offsets[B.T] = B.Offset;
  }
  if (D.errorCount() != ErrorsBefore)
    return std::nullopt;
  walkStmts(P.Body, [&](Stmt &S) {
    if (auto *A = S.getIf<Alloc>())
      if (auto It = Offsets.find(A->T); It != Offsets.end())
        A->Offset = It->second;
  });
  return P;
}

} // namespace septran::compiler
