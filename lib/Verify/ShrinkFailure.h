//===- ShrinkFailure.h - the smallest program that still fails ----*- C++ -*-===//
//
// A failure of a campaign, made small: first the mapping, then the shape, then the logic if it is
// one that may be changed. A candidate counts only if the compiler accepts it, the plain program's
// own checks pass, and the mapped program is still wrong (or still does not compile).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Verify/LogicProgram.h"
#include "Verify/LogicUnderTest.h"
#include "Verify/VerifyMapping.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace septran::compiler {

struct FailingProgram {
  std::string Mapping;       ///< text
  std::optional<Case> Which; ///< the call that fails; none: the mapped program does not compile
  std::vector<Parameter> Params;
};

struct ShrinkSettings {
  std::shared_ptr<const Machine> Target;
  VerifyRequest Verify;
  unsigned Builds = 60; ///< most candidates that are compiled, for each of mapping and logic
};

/// Mapping and shape.
void shrinkMapping(LogicUnderTest &Logic, FailingProgram &F, const ShrinkSettings &Settings);

/// Text of a smaller logic file; `Build` says how it is compiled.
std::string shrinkLogic(const LogicProgram &Program, const FailingProgram &F,
                        const BuildSettings &Build, const ShrinkSettings &Settings);

} // namespace septran::compiler
