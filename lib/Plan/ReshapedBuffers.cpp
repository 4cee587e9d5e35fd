//===- ReshapedBuffers.cpp - buffers whose elements have no gaps ----------===//
#include "Plan/ReshapedBuffers.h"

#include "IR/Rewrite.h"

namespace septran::compiler {

std::set<TensorRef> reshapedRoots(const Block &B, const TensorTable &Tensors) {
  std::set<TensorRef> Roots;
  const auto Note = [&](const View &V) {
    if (!V.Reshape.empty())
      Roots.insert(Tensors.root(V.Base));
  };
  walkStmts(B, [&](const Stmt &S) {
    if (const auto *Def = S.getIf<Define>())
      Note(Def->Value);
    if (const auto *C = S.getIf<CopyStmt>()) {
      Note(C->Src);
      Note(C->Dst);
    }
    if (const auto *O = S.getIf<OpaqueCall>())
      for (const Launch::Argument &A : O->Args)
        if (A.isTensor())
          Note(A.Tensor);
  });
  return Roots;
}

} // namespace septran::compiler
