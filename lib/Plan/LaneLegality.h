//===- LaneLegality.h - may a loop body run in vector lanes? ----*- C++ -*-===//
#pragma once

#include "IR/Stmt.h"
#include "Plan/TensorTable.h"

#include <set>
#include <string>
#include <vector>

namespace septran::compiler {

/// Lanes that are so many elements apart are picked out of all that lie between them, vector by vector; others
/// are read one by one (runtime/include/septran/cpu/memory.h).
inline constexpr std::int64_t MostCloseBy = 4;
inline bool isCloseBy(std::int64_t Stride) { return Stride >= 2 && Stride <= MostCloseBy; }

/// The scalars that differ between lanes if iterations of F run in them: its variable, and what
/// takes a value that depends on it or is assigned under a condition that does.
std::set<VarRef> varyingIn(const For &F);

/// Why the body of F cannot run with several iterations in the lanes of a vector, or an empty
/// string. Knows nothing of dependences (analyzeLoop): it looks at addresses, conditions and
/// operations. All functions have vector forms (runtime/include/septran/cpu/math.h). A load below a condition that differs between lanes is only accepted where it cannot
/// leave its tensor. `Outer` are the loops of the leaf around F.
std::string whyNotLanes(const For &F, const std::vector<const For *> &Outer,
                        const TensorTable &Tensors);

} // namespace septran::compiler
