//===- PrimitiveForm.h - what a primitive of a machine file means -*- C++ -*-===//
//
// A primitive's `semantics` in the normal form of leaves, and what the binding needs to know of its
// operands. Loops run to a number or to one symbol of the primitive's `sizes`; indices walk them
// upwards.
//
//   operand without dimensions, only read   a scalar: any value may take its place
//   operand without dimensions, written     one element
//   operand with dimensions                 a tile of a tensor
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Machine/Machine.h"
#include "Plan/LeafForm.h"
#include "Support/Diagnostics.h"

#include <optional>

namespace septran::compiler {

struct PrimitiveOperand {
  const Operand *Spec;
  ScalarType Element;
  TensorRef T;   ///< null for scalars
  VarRef Scalar; ///< null for tensors
  bool Read = false, Written = false;
  std::vector<std::vector<Expr>> Accesses; ///< the indices of every access
  bool isScalar() const { return Scalar != nullptr; }
};

struct PrimitiveForm {
  const Primitive *Source;
  LeafForm Form;
  std::vector<PrimitiveOperand> Operands; ///< as in the machine file
  NamedList<VarRef> Sizes;                ///< symbol -> variable

  const PrimitiveOperand *operandOf(const TensorRef &T) const;
  const PrimitiveOperand *operandOf(const VarRef &V) const;
};

/// Reports semantics that cannot be read or have no such form.
std::optional<PrimitiveForm> primitiveForm(const Primitive &P, Diagnostics &D);

} // namespace septran::compiler
