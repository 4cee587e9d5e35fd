//===- ChooseVariant.h - which function an instance stands for ---*- C++ -*-===//
#pragma once

#include "Logic/TaskGraph.h"
#include "Support/Diagnostics.h"
#include "Support/Located.h"

namespace septran::compiler {

/// The variant that the mapping names where `Callee` is launched: a function of its family with its
/// parameters, named by itself or by the family. Reports why not and returns null if there is none,
/// or more than one.
FunctionRef chooseVariant(const TaskGraph &Graph, const LocatedName &Name, const Function &Callee,
                          Diagnostics &D);

/// The task that the mapping names as entry point; null after a report.
FunctionRef chooseEntry(const TaskGraph &Graph, const LocatedName &Name, Diagnostics &D);

} // namespace septran::compiler
