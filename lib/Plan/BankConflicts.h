//===- BankConflicts.h - how fragments are loaded ---------------*- C++ -*-===//
//
// A memory with banks serves one word of each at a time. What a load of fragments costs follows from
// the buffer's layout and from which thread names which place, both known: this counts, for one load
// by one warp, how often the memory is asked beyond what the number of words needs.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/MatrixLoads.h"
#include "Plan/Program.h"

namespace septran::compiler {

struct FragmentLoad {
  const CopyStmt *Copy = nullptr;
  const Alloc *From = nullptr;
  std::string By; ///< the primitive; empty: element by element
  std::int64_t Conflicts = 0;
  Location Loc;
};

/// The copies into fragments from buffers in memories with banks.
std::vector<FragmentLoad> fragmentLoads(const Program &P);

/// The numbers of the elements that threads name at once, in the order of the buffer; each thread
/// takes `Elements` neighbours. Groups of threads whose words fill the banks once are served apart.
std::int64_t conflictsOf(const std::vector<std::int64_t> &Places, std::int64_t Elements,
                         std::int64_t ElementBytes, const BankLayout &Banks);

} // namespace septran::compiler
