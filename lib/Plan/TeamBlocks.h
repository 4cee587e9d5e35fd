//===- TeamBlocks.h - block sizes that depend on the team -------*- C++ -*-===//
//
// `{at_most: 2064, multiple_of: 48}` as the value of a tunable: the program computes the size where
// it starts the loop over the blocks, so that all threads have work (septran/cpu/team_block.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"
#include "Mapping/Mapping.h"

#include <optional>
#include <vector>

namespace septran::compiler {

struct TeamTunable {
  VarRef V;
  Extent Size;
};

/// The body with the sizes in front of their first use, each a variable times the step, and each
/// dependent on those before it. `Threads`: of the team; nothing if it has as many as there are.
/// `Failed` receives a tunable whose blocks no parallel loop goes over, or one that cannot be
/// computed there.
Block applyTeamTunables(Block Body, const std::vector<TeamTunable> &Tunables,
                        std::optional<std::int64_t> Threads, VarRef &Failed);

/// Whether each loop over the blocks of such a size is spread over a team, as far as they stand in
/// the code of one instance.
bool sharesTeamBlocks(const Block &Code, const Machine &Target);

} // namespace septran::compiler
