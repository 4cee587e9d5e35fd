//===- CopyList.h - every copy, how large and how often ---------*- C++ -*-===//
#pragma once

#include "Plan/Formula.h"
#include "Plan/Program.h"

namespace septran::compiler {

struct CopyUse {
  const CopyStmt *Copy = nullptr;
  const InstanceInfo *In = nullptr; ///< the instance in whose body it stands
  Location Loc;
  Product Bytes; ///< that are written each time
  Product Times; ///< trips of the loops around it
};

/// In textual order. Of two branches of a condition only one runs: a copy that stands in both (full
/// blocks and clipped ones, say) is listed once, with the larger amount.
std::vector<CopyUse> copiesOf(const Program &P);

} // namespace septran::compiler
