//===- CheckEngineCode.h - what a processor with engines cannot run -*- C++ -*-===//
//
// Copies that the machine has no way for, functions of the host, and loops over elements where the
// processor runs none or does not reach the elements.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/EngineCommands.h"
#include "Support/Diagnostics.h"

#include <set>

namespace septran::compiler {

class EngineCodeChecker {
public:
  EngineCodeChecker(const Machine &Target, const TensorTable &Tensors,
                    const EngineCommands &Engines, Diagnostics &D)
      : Target(Target), Tensors(Tensors), Engines(Engines), D(D) {}

  /// The statements of a launch that stands in the instance I.
  void check(const Block &B, const InstanceInfo *I);

private:
  void checkCopy(const CopyStmt &C, const Location &Loc);
  void checkElements(const Stmt &S, const InstanceInfo &I);
  std::string noCopyTo(const std::string &To) const;
  std::string reachedMemories(const InstanceInfo &I) const;

  const Machine &Target;
  const TensorTable &Tensors;
  const EngineCommands &Engines;
  Diagnostics &D;
  std::set<const InstanceInfo *> Refused; ///< whose loops over elements have been reported
};

} // namespace septran::compiler
