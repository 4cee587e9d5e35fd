//===- BoundLeaf.h - a leaf that is an instance of a primitive --*- C++ -*-===//
#pragma once

#include "Machine/Machine.h"
#include "Plan/TensorTable.h"
#include "Plan/Unify.h"

namespace septran::compiler {

struct BoundLeaf {
  const LeafForm &Form;
  const PrimitiveForm &Prim;
  const Unification &Match;
  const TensorTable &Tensors;
  const Machine &Target;
  const std::set<TensorRef> &CopiedWhole; ///< copiedWhole() of the program

  bool isRegister(const TensorRef &T) const;
  /// Loop P of the primitive adds up.
  bool reduces(unsigned P) const { return Prim.Form.Loops[P].Facts.Class == LoopClass::Reduction; }
  /// The operand is another element for each iteration of loop P of the primitive.
  bool walks(const PrimitiveOperand &O, unsigned P) const;
};

} // namespace septran::compiler
