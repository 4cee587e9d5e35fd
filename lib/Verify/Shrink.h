//===- Shrink.h - the simplest case that still fails ------------*- C++ -*-===//
//
// Greedy and deterministic: simpler candidates are tried in order, the large steps first; one that
// still fails takes the place of the case. What cannot be compiled or is refused does not fail; the
// predicate says so.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Verify/LogicProgram.h"

#include <functional>
#include <string>
#include <vector>

namespace septran::compiler {

struct ShrinkOptions {
  unsigned MaxTries = 200; ///< calls of the predicate
  /// After every call: how many there were, and whether the candidate was taken.
  std::function<void(unsigned Tries, bool Taken)> Progress;
};

/// `Text` is a mapping that fails. Drops launches, instances and settings, and makes numbers small.
/// A text that cannot be read is returned as it is.
std::string shrinkMapping(const std::string &Text,
                          const std::function<bool(const std::string &)> &Fails,
                          const ShrinkOptions &Options = {});

/// Programs that are a step simpler than P, the largest steps first. Not all of them are valid.
std::vector<LogicProgram> simplerOnes(const LogicProgram &P);

LogicProgram shrinkLogic(LogicProgram P, const std::function<bool(const LogicProgram &)> &Fails,
                         const ShrinkOptions &Options = {});

} // namespace septran::compiler
