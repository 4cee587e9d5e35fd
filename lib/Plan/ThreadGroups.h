//===- ThreadGroups.h - which threads of a kernel do a statement -*- C++ -*-===//
//
// What bind has divided among threads, as the passes and emitters behind it see it. All threads of
// a processor go through a leaf's body together. Loops that are divided tell threads apart by bits
// of their numbers; threads that differ only in the other bits do the same, and one of them, whose
// other bits are 0, stands for them where memory is written.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"
#include "Plan/TensorTable.h"

namespace septran::compiler {

/// Is the root of T in registers?
bool inRegisters(const TensorRef &T, const TensorTable &Tensors, const Machine &M);

/// One thread may do all of the block for those that would do the same: it divides nothing among
/// them, and nothing that it computes is needed in registers or scalars behind it.
bool isForOne(Stmts B, const TensorTable &Tensors, const Machine &M);

/// Some loop in the block is divided among threads.
bool dividesThreads(Stmts B);

/// Something in the block needs all threads of a warp or block at once: a barrier or a combined
/// reduction.
bool needsAllThreads(const Block &B, const TensorTable &Tensors);

} // namespace septran::compiler
