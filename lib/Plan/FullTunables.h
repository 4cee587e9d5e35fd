//===- FullTunables.h - tunables whose value is the whole extent -*- C++ -*-===//
#pragma once

#include "IR/Stmt.h"

#include <optional>
#include <set>

namespace septran::compiler {

/// The body as it reads when each of `Full` stands for the whole extent that it divides: loops over
/// such blocks run once and vanish, under a condition where an empty dimension would make a
/// difference; the blocks become the whole dimension. `Leftover` receives the place and name of a
/// use as a plain number, which has no meaning.
struct FullUse {
  VarRef V;
  Location Loc;
};
Block applyFullTunables(const Block &Body, const std::set<VarRef> &Full,
                        std::optional<FullUse> &Leftover);

} // namespace septran::compiler
