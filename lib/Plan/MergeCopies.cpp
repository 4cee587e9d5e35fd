//===- MergeCopies.cpp - no second copy of what is already there ----------===//
//
// A read-only buffer whose source, memory and element type equal those of an earlier buffer that is
// still valid (neither the source's root nor the buffer was written since) is replaced by that
// buffer. Buffers with a layout of their own in the mapping are left alone.
//
//===----------------------------------------------------------------------===//
#include "IR/Rewrite.h"
#include "Plan/Simplify.h"
#include "Plan/TensorTable.h"

namespace septran::compiler {

namespace {

struct Present {
  TensorRef T;
  View Source;
};

class Merger {
  const TensorTable &Tensors;
  std::vector<RewriteRecord> &Log;

  void forget(std::vector<Present> &Known, const Effects &E) const {
    std::erase_if(Known, [&](const Present &P) {
      return E.Writes.count(Tensors.root(P.Source.Base)) || E.Writes.count(P.T);
    });
  }

  static bool interchangeable(const Tensor &A, const Tensor &B) {
    return A.Memory == B.Memory && A.Element == B.Element && A.Rank == B.Rank;
  }

  /// The only write to T in the block is the copy at `In`.
  bool onlyCopiedInto(const Block &B, const TensorRef &T, size_t In) const {
    for (size_t I = 0; I < B.size(); ++I)
      if (I != In && effectsOf(B[I], Tensors).Writes.count(T))
        return false;
    return true;
  }

public:
  Merger(const TensorTable &Tensors, std::vector<RewriteRecord> &Log)
      : Tensors(Tensors), Log(Log) {}

  void run(Block &B, const std::vector<Present> &Before) {
    std::vector<Present> Known = Before;
    for (size_t I = 0; I < B.size(); ++I) {
      if (auto *C = B[I].getIf<CopyStmt>(); C && isWholeOf(C->Dst, C->Dst.Base) &&
                                            C->Dst.Base->Kind == TensorKind::Buffer &&
                                            !C->Src.Fill && onlyCopiedInto(B, C->Dst.Base, I)) {
        TensorRef T = C->Dst.Base;
        const Present *Found = nullptr;
        for (const Present &P : Known)
          if (interchangeable(*P.T, *T) && equal(P.Source, C->Src))
            Found = &P;
        if (Found) {
          Log.push_back({"simplify", "duplicates", C->Reason + ": already present", B[I].Loc});
          Substitution S;
          S.Tensors[T] = Found->T;
          std::erase_if(B, [&](const Stmt &St) {
            const auto *A = St.getIf<Alloc>();
            const auto *Cp = St.getIf<CopyStmt>();
            return (A && A->T == T) || (Cp && isWholeOf(Cp->Dst, T));
          });
          B = substitute(B, S);
          I = size_t(-1); // the block changed: begin anew
          Known = Before;
          continue;
        }
        if (!Known.empty())
          forget(Known, effectsOf(B[I], Tensors));
        Known.push_back({T, C->Src});
        continue;
      }
      const Effects E = Known.empty() ? Effects() : effectsOf(B[I], Tensors);
      std::vector<Present> Inner = Known;
      if (auto *F = B[I].getIf<For>()) {
        forget(Inner, E); // a later iteration sees what an earlier one wrote
        run(F->Body, Inner);
      } else if (auto *C = B[I].getIf<If>()) {
        run(C->Then, Inner);
        run(C->Else, Inner);
      } else if (auto *S = B[I].getIf<Scope>())
        run(S->Body, Inner);
      forget(Known, E);
    }
  }
};

} // namespace

void mergeCopies(Block &B, std::vector<RewriteRecord> &Log) {
  TensorTable Tensors(B);
  Merger(Tensors, Log).run(B, {});
}

} // namespace septran::compiler
