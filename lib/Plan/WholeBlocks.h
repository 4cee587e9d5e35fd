//===- WholeBlocks.h - blocks that nothing clips ----------------*- C++ -*-===//
#pragma once

#include "IR/Stmt.h"

namespace septran::compiler {

/// Blocks of dimensions whose extents are provably multiples of the block, and not 0, get their nominal
/// extents.
void wholeBlocks(Block &B);

} // namespace septran::compiler
