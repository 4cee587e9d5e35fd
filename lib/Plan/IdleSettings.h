//===- IdleSettings.h - what a mapping says in vain --------------*- C++ -*-===//
#pragma once

#include "Plan/Program.h"

namespace septran::compiler {

/// Settings of a loop that the task does not have, or that does not spread, are no mistake: shared
/// ones reach many instances. But nobody should wonder why they change nothing. `B` is the body of
/// the instance after loops were spread.
std::vector<RewriteRecord> idleSettings(const Block &B, const InstanceInfo &I);

} // namespace septran::compiler
