//===- CheckInstance.h - one instance's settings against its task -*- C++ -*-===//
#pragma once

#include "Plan/Program.h"

namespace septran::compiler {

/// Reports every setting of `Settings` that names something that `Task` or `Target` does not have,
/// or a memory that the processor cannot reach. Launches and locals are those written in the task's
/// body.
void checkInstance(const InstanceMapping &Settings, const Function &Task, std::string_view Proc,
                   const Machine &Target, Diagnostics &D);

} // namespace septran::compiler
