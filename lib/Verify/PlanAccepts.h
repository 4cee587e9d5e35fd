//===- PlanAccepts.h - would septran-rewrite take this mapping --*- C++ -*-===//
//
// The compiler's own checks, in this process: the mapping is read and the passes run. Only the text
// of the output is not made.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Logic/TaskGraph.h"
#include "Machine/Machine.h"
#include "Support/Diagnostics.h"

#include <memory>
#include <string>

namespace septran::compiler {

/// `Target` stands for whatever machine the text names. D receives why not.
bool planAccepts(const TaskGraph &G, const std::string &MappingText,
                 std::shared_ptr<const Machine> Target, Diagnostics &D);

} // namespace septran::compiler
