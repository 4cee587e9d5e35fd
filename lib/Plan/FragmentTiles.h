//===- FragmentTiles.h - calls of matrix instructions -----------*- C++ -*-===//
#pragma once

#include "Plan/BoundLeaf.h"
#include "Plan/FragmentUses.h"

#include <optional>

namespace septran::compiler {

/// The body of a leaf that is bound to a primitive on fragments. The tensors' Parts are known.
///
///   its definitions
///   updates that the primitive does not make, of elements that each thread has
///   loops over tiles, divided as the tensors are, reductions outside:
///     the call
///
/// All tiles are computed, also those beyond the end of a clipped tensor: its registers are there,
/// and hold zeros where they would be added (PadFragments.h). On failure `Problem` says what does
/// not fit.
std::optional<Block> fragmentCode(const BoundLeaf &B, const FragmentUse &Use,
                                  const RegisterTiles &Tiles, std::string &Problem);

} // namespace septran::compiler
