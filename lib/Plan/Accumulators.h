//===- Accumulators.h - vectors that a reduction is kept in -----*- C++ -*-===//
//
// Lanes that reduce into one vector wait in every iteration for the result of the one before: an
// addition takes about four cycles, in which a processor could have begun eight operations. Several
// vectors, filled in turn and combined behind the loop, let it go on. How many are needed follows
// from how much else an iteration has to do; `accumulators` of a leaf's instance overrules that.
//
// Loops directly around that go on with the same sum do so with the same vectors: a short row of an image is
// no sum of its own.
//
// The order of a sum changes, as it does when a loop runs in lanes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"
#include "Plan/RegisterTiles.h"
#include "Plan/TensorTable.h"

#include <vector>

namespace septran::compiler {

/// The statements in the body of F, a loop in lanes, by which the lanes reduce into something that
/// stays the same throughout the loop.
std::vector<const Stmt *> laneReductions(const For &F);

/// The loop in lanes whose partial results are made before F and combined behind it, since F and loops between them
/// do nothing else; null if there is none.
const For *sumsThroughout(const For &F);

/// Decides for all loops in lanes of `Body`, the leaf of `I`. `Registers` are what the machine has of
/// SimdBytes each. True if sums of a whole register tile were put in step, which has no like for clipped ones.
bool chooseAccumulators(Block &Body, const InstanceInfo &I, std::int64_t Registers,
                        std::int64_t SimdBytes, const TensorTable &Tensors,
                        const RegisterTiles &Tiles, Diagnostics &D);

} // namespace septran::compiler
