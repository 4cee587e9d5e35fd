//===- SpreadLoops.h - which parallel loops leave the processor --*- C++ -*-===//
#pragma once

#include "Plan/Program.h"

namespace septran::compiler {

/// A parallel loop of the instance spreads over the level on which its callees run, if that lies
/// further inside. Levels whose loops run one after the other (lanes belong to leaves) take no
/// iterations.
void spreadLoops(Block &B, const InstanceInfo &I, const Machine &Target);

} // namespace septran::compiler
