//===- TileCode.h - loops over tiles around calls of a primitive -*- C++ -*-===//
#pragma once

#include "Machine/Machine.h"
#include "Plan/Unify.h"

#include <optional>

namespace septran::compiler {

/// A leaf that is an instance of a primitive.
struct BoundLeaf {
  const LeafForm &Form;
  const PrimitiveForm &Prim;
  const Unification &Match;
  const TensorTable &Tensors;
  const Machine &Target;
};

/// The leaf's body:
///
///   its definitions
///   updates that the primitive does not make, in loops of their own
///   loops over what the primitive lacks, and over tiles:
///     [padded copies of operands]
///     the call
///     [padded results back]
///
/// On failure `Problem` says what does not fit.
std::optional<Block> tileCode(const BoundLeaf &B, std::string &Problem);

} // namespace septran::compiler
