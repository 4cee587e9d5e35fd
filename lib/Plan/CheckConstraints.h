//===- CheckConstraints.h - what a mapping demands of its tunables -*- C++ -*-===//
//
// Constraints are integer expressions over tunables. Those that are full have no number to compare.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"

namespace septran::compiler {

/// Those of the instance itself, which name its tunables.
void checkConstraints(const InstanceInfo &I, Diagnostics &D);

/// The file's own, which name tunables as `instance.tunable`.
void checkFileConstraints(const Program &P, Diagnostics &D);

} // namespace septran::compiler
