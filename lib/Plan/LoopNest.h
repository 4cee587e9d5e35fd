//===- LoopNest.h - loops nested directly in each other ---------*- C++ -*-===//
#pragma once

#include "IR/Stmt.h"
#include "Plan/TensorTable.h"

#include <optional>
#include <vector>

namespace septran::compiler {

/// Outermost first.
using Nest = std::vector<For *>;

/// The loops nested directly in each other from F inwards.
Nest perfectNest(For &F);

bool holdsLoops(const Block &B);

/// Iterations of F, one element at a time; none if they are known at run time only.
std::optional<std::int64_t> constantTrip(const For &F);

/// That the loops may run in any order: none needs its own, none has bounds that depend on another's
/// variable, and nothing inside them loops.
bool freelyPermutable(const Nest &N, const TensorTable &Tensors);

/// From 0 to Hi.
For countedLoop(const VarRef &V, Expr Hi, Block Body);

/// What a loop is, but for what it does: the body and what passes say of that.
void copyHeader(const For &From, For &To);
/// Exchanges two loops of a nest; the bodies stay where they are.
void swapHeaders(For &A, For &B);

} // namespace septran::compiler
