//===- PlanAccepts.cpp - would septran-rewrite take this mapping ----------===//
#include "Verify/PlanAccepts.h"

#include "Mapping/ReadMapping.h"
#include "Plan/Passes.h"

namespace septran::compiler {

bool planAccepts(const TaskGraph &G, const std::string &MappingText,
                 std::shared_ptr<const Machine> Target, Diagnostics &D) {
  std::optional<Mapping> Map = readMappingText(MappingText, "mapping.yaml", D);
  if (!Map)
    return false;
  return runPasses(G, std::make_shared<const Mapping>(std::move(*Map)), std::move(Target), D,
                   [](std::string_view, const Program &) {})
             .has_value() &&
         !D.hasErrors();
}

} // namespace septran::compiler
