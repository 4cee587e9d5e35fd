//===- DeriveMapping.h - a mapping where the user gives none ----*- C++ -*-===//
//
// Searches for a mapping of an entry point to a machine: which variants nest how deep, the processor of
// each instance, tile sizes, tensors in registers and packed ones. Candidates are planned by the passes
// that plan any mapping; what these refuse is no candidate, and the others are ranked by
// EstimateCost.h. The search climbs: one choice after the other takes its best value, until no choice
// changes any more. It starts again with other tasks that compute the same, and with constants packed where the
// copies are kept. It makes no use of chance, so the same input gives the same mapping.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"
#include "Plan/ShapeRelations.h"
#include "Plan/ShapeSpec.h"

#include <functional>

namespace septran::compiler {

/// Whether loops of this machine run on threads and in lanes, in memory that all share.
bool canDeriveFor(const Machine &Target);

struct DeriveRequest {
  ShapeRelations Relations;      ///< of the entry as written
  std::vector<ShapeSpec> Shapes; ///< to derive for, without problems (problemOf, TypicalSizes.h)
  std::function<bool(const Program &)> CanEmit; ///< code can be written for a planned program
  std::function<void(unsigned)> Progress;       ///< how many mappings have been tried, with each; or null
};

/// Nothing if no mapping was accepted. `Target` is a machine for which mappings can be derived.
std::optional<Mapping> deriveMapping(const TaskGraph &G, const FunctionRef &Entry,
                                     std::shared_ptr<const Machine> Target,
                                     const DeriveRequest &Request);

} // namespace septran::compiler
