//===- WholeBlocks.h - blocks that nothing clips ----------------*- C++ -*-===//
#pragma once

#include "IR/Stmt.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace septran::compiler {

/// Blocks of dimensions whose extents are provably multiples of the block, and not 0, get their
/// nominal extents, and so do others that are never the clipped one, if they hold a tile in
/// registers.
void wholeBlocks(
    Block &B,
    llvm::function_ref<bool(const TensorRef &)> IsTile = [](const TensorRef &) { return false; });

} // namespace septran::compiler
