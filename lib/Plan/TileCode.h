//===- TileCode.h - loops over tiles around calls of a primitive -*- C++ -*-===//
#pragma once

#include "Plan/BoundLeaf.h"

#include <optional>

namespace septran::compiler {

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
