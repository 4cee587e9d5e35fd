//===- Simplify.cpp - copies, fewer and further out -----------------------===//
#include "Plan/Simplify.h"

#include "IR/Rewrite.h"
#include "Plan/Passes.h"
#include "Plan/Scratchpads.h"

namespace septran::compiler {

bool isWholeOf(const View &V, const TensorRef &T) { return V.Base == T && equal(V, wholeView(T)); }

void dropUnused(Block &B, std::vector<RewriteRecord> &Log) {
  for (size_t I = 0; I < B.size();) {
    if (auto *F = B[I].getIf<For>())
      dropUnused(F->Body, Log);
    else if (auto *C = B[I].getIf<If>()) {
      dropUnused(C->Then, Log);
      dropUnused(C->Else, Log);
    } else if (auto *S = B[I].getIf<Scope>())
      dropUnused(S->Body, Log);
    else if (auto *A = B[I].getIf<Alloc>()) {
      if (!uses(Stmts(B).drop_front(I + 1), A->T)) {
        Log.push_back({"simplify", "dropped", A->Reason + ": never used", B[I].Loc});
        B.erase(B.begin() + I);
        continue;
      }
    }
    ++I;
  }
}

Program simplify(Program P) {
  dropEmptyLoops(P.Body, P.Log);
  formLaunches(P);
  streamBlocks(P.Body, *P.Target, P.Log);
  hoistCopies(P.Body, P.Log);
  mergeCopies(P.Body, P.Log);
  dropUnused(P.Body, P.Log);
  inlineAliases(P.Body);
  return P;
}

} // namespace septran::compiler
