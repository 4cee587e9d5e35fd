//===- VerifyProgram.h - what every pass may rely on ------------*- C++ -*-===//
//
// On top of what IR/Verify.h checks about any block: a Program has no Launch or Local left, every
// tensor lives in a memory of the machine, copies join blocks of equal rank and element type, and
// each pass has left what Program.h says it leaves.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"

#include <string_view>

namespace septran::compiler {

/// What is wrong with the Program that `Pass` (a name of passNames()) made; one sentence each,
/// empty if it is well-formed.
std::vector<std::string> verifyProgram(const Program &P, std::string_view Pass);

} // namespace septran::compiler
