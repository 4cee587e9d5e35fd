//===- Verify.h - what every block of statements must satisfy ---*- C++ -*-===//
//
// Checks that hold between all passes: symbols are used where they are defined,
// and defined once; ranks, types and numbers of operands agree. Runs after every
// pass in tests. What a certain stage promises is checked where it is stated.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"

#include <set>
#include <string>
#include <vector>

namespace septran::compiler {

/// What a block may use without defining it.
struct FreeSymbols {
  std::set<VarRef> Vars;
  std::set<TensorRef> Tensors;
};

/// One sentence for each mistake found; empty if the block is well-formed.
/// With AllowLaunch false, calls of tasks and leaves that were not expanded are mistakes too.
std::vector<std::string> verifyBlock(const Block &B, const FreeSymbols &Free,
                                     bool AllowLaunch = true);

} // namespace septran::compiler
