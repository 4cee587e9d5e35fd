//===- StageCopies.h - copies that run ahead of their loop ------*- C++ -*-===//
#pragma once

#include "Plan/Program.h"

namespace septran::compiler {

/// Part of pipeline. Where an instance asks for `pipeline: d`, the blocks that its sequential loop
/// copies in asynchronously become a ring of d places, filled d - 1 iterations ahead:
///
///   alloc r[d, ...]
///   acquire 0; start the copies of iteration 0; commit 0; ... d - 2
///   for k { wait k; if (k + d - 1 < hi) { acquire, start, commit k + d - 1 }
///           define q = r[at k % d]; ...; release k }
///
/// A block qualifies if it moves with the loop, depends on nothing else that the loop computes, is
/// only read, and has a bounded size; where buffers find their places at run time, one that no
/// iteration changes will do. It may stand in a scope, or below conditions that are known ahead: those
/// of the other iteration guard its copy, and stages go on without it.
///
/// Where threads wait for groups of their own copies, which they count, every iteration closes one,
/// if only an empty one; acquire and commit then stand outside of the condition:
///
///   for first : 0 .. d - 1 { acquire first; if (first < hi) { start }; commit first }
///   for k { wait k; acquire k + d - 1; if (k + d - 1 < hi) { start }; commit k + d - 1; ... }
void stageCopies(Program &P);

/// The machine copies from one memory to the other while its processors do something else, in a way
/// that stages are made of.
bool copiesAhead(const Machine &M, const std::string &From, const std::string &To);

} // namespace septran::compiler
