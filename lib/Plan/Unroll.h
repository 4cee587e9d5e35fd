//===- Unroll.h - how often the loops of leaves are unrolled ----*- C++ -*-===//
//
// `unroll` of an instance is a request to the C++ compiler, which knows the cost of registers and
// of code size and keeps the remainder: the generated loop carries `#pragma GCC unroll n`, which
// g++ and clang both follow. A count without a name is for every loop that holds no other loop.
// Loops over register tiles are written to be unrolled completely, whatever the mapping says, and
// do not count as loops here. Loops in lanes count vectors.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Affine.h"
#include "Plan/Program.h"
#include "Plan/TensorTable.h"

namespace septran::compiler {

/// Reports counts that `Body`, the leaf of `I` after its lanes are chosen, cannot follow.
void checkUnroll(const Block &Body, const InstanceInfo &I, Diagnostics &D);

/// How many iterations of F, a loop of I's leaf, the mapping wants to stand in line; 0: it does not
/// say.
std::int64_t unrollCount(const For &F, const InstanceInfo &I);

/// Puts the iteration in the place of loops of a leaf that have one. `Known`: the loops around.
void dropSingleIterations(Block &Body, const TensorTable &Tensors, const Facts &Known);

} // namespace septran::compiler
