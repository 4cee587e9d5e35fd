//===- FitMemory.h - the smallest change with which buffers fit -*- C++ -*-===//
#pragma once

#include "Plan/Program.h"

namespace septran::compiler {

/// The one integer tunable that has to be halved the fewest times until everything in memory `Name`
/// fits, as `tile_k: 64 in 'gemm_ksteps' fits`; empty if there is none. Tries the tunables of the
/// instances that hold the buffers, and of their callers, by planning the program again.
std::string smallestFit(const std::string &Name, const TaskGraph &Graph,
                        std::shared_ptr<const Mapping> Map, std::shared_ptr<const Machine> Target);

} // namespace septran::compiler
