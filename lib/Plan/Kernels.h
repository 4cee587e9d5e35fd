//===- Kernels.h - the parts of a Program that run on a grid ----*- C++ -*-===//
//
// Machines with a level that spreads as a `grid` run some parts of a Program as kernels: the host
// starts all processors of that level together and goes on when they are done. A kernel is a loop
// that spreads over the grid, or over a level inside it, or an instance on such a level, that no
// other kernel holds. Everything else is the host's.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <string_view>

namespace septran::compiler {

/// Depth of the level whose processors are started together; nothing if the machine has none.
std::optional<size_t> gridDepth(const Machine &M);

/// Whether host code works with the elements of a tensor there, and no kernel can.
bool isHostMemory(std::string_view Memory, const Machine &M);

/// Calls F for every statement that is a kernel, in textual order.
void forEachKernel(Block &B, const Machine &M, llvm::function_ref<void(Stmt &)> F);
bool isKernel(const Stmt &S, const Machine &M);

/// Threads of one processor of the grid in this kernel: what `parallelize: {threads: n}` of an
/// instance in it says, else as many as its loops over inner levels need, else the machine's
/// `default_threads`. A power of two; 0 after an error, which is reported if D is given.
std::int64_t gridThreads(const Stmt &Kernel, const Machine &M, Diagnostics *D);

/// Of these, the threads of one processor of the level at `Depth`.
std::int64_t threadsAt(size_t Depth, const Machine &M, std::int64_t GridThreads);

/// What the processors of a kernel can do with it differs from what the program wants.
void reportInKernel(const Location &Loc, const std::string &Found, const std::string &Expected,
                    Diagnostics &D);

} // namespace septran::compiler
