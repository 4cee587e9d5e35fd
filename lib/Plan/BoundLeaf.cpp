//===- BoundLeaf.cpp - a leaf that is an instance of a primitive ----------===//
#include "Plan/BoundLeaf.h"

#include "IR/Rewrite.h"

namespace septran::compiler {

bool BoundLeaf::isRegister(const TensorRef &T) const {
  const Memory *M = Target.findMemory(T->Memory);
  return M && M->Registers;
}

bool BoundLeaf::walks(const PrimitiveOperand &O, unsigned P) const {
  for (const std::vector<Expr> &Access : O.Accesses)
    for (const Expr &Index : Access)
      if (mentions(Index, Prim.Form.Loops[P].V))
        return true;
  return false;
}

} // namespace septran::compiler
