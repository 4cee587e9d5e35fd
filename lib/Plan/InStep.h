//===- InStep.h - iterations that wait for themselves, several at once ---===//
//
// A recurrence such as Horner's rule or a filter along time needs in every iteration what the one before
// gave. Of the loop around, whose iterations do not depend on each other, several then run in step:
// each statement stands for all of them, and while one waits the others go on. In lanes that is
// several vectors, without lanes several elements.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"
#include "Plan/RegisterTiles.h"
#include "Plan/TensorTable.h"

#include <set>
#include <vector>

namespace septran::compiler {

/// Statements of B between loops, which one vector after the other computes.
struct StepPart {
  std::vector<const Stmt *> Statements; ///< or the loop alone
  bool isLoop() const { return Statements.front()->getIf<For>() != nullptr; }
};
std::vector<StepPart> stepParts(const Block &B);

/// Scalars of F's body that one part of it sets and another one uses: each iteration in step has its own.
std::set<VarRef> keptBetweenParts(const For &F);

/// Sets InStep of the loops of `Body`, the leaf of `I`. `Registers` are what the machine has of SimdBytes each.
void chooseInStep(Block &Body, const InstanceInfo &I, std::int64_t Registers,
                  std::int64_t SimdBytes, const TensorTable &Tensors, const RegisterTiles &Tiles);

} // namespace septran::compiler
