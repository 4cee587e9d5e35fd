//===- Checks.h - rules that hold between functions and loops -------*- C++ -*-===//
//
// What the readers cannot see statement by statement. All of it works on the task graph alone.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Logic/TaskGraph.h"
#include "Support/Diagnostics.h"

namespace septran::compiler {

/// Reports tasks that launch themselves, directly or not; true if there are any. Everything behind
/// the front end relies on launches forming no cycle.
bool reportRecursion(const TaskGraph &G, Diagnostics &D);

/// Variants of a family that share their types must share their privileges, and a variant that no
/// other member of its family can replace is a mistake.
void checkFamilies(const TaskGraph &G, Diagnostics &D);

/// A task hands no child more than it has, and nothing is read before it is written.
void checkPrivileges(const Function &Task, Diagnostics &D);

/// Iterations of parallel loops write different elements, and read nothing that others write.
void checkParallelWrites(const Function &Task, Diagnostics &D);

/// A leaf reads no write-only argument before it wrote to it, and only reduces into a reduce one.
void checkLeafAccesses(const Function &Leaf, Diagnostics &D);

} // namespace septran::compiler
