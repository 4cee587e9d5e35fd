//===- LogicBlocks.h - launches on blocks, as tasks write them --*- C++ -*-===//
#pragma once

#include "Verify/LogicTensor.h"
#include "Verify/Random.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace septran::compiler {

/// A name with this stem that the program does not have yet.
using BlockNames = std::function<std::string(const std::string &Stem)>;

/// Symbols whose dimensions are cut: by a parallel loop, by loops in order inside it.
struct BlockCut {
  std::vector<int> Parallel, Sequential;
  bool IsFixed = false; ///< sizes of blocks are numbers instead of tunables
  bool empty() const { return Parallel.empty() && Sequential.empty(); }
};

/// Appends partitions, loops and the launch of `Callee` on blocks of `Tensors`, then `Scalars`, to
/// B; the sizes of the blocks are tunables, which go to `Tunables`, or numbers. Tensors without a
/// cut dimension are passed whole.
void launchOnBlocks(LogicBlock &Tunables, LogicBlock &B, const std::string &Callee,
                    const std::vector<LogicTensor> &Tensors, std::vector<LogicExpr> Scalars,
                    const BlockCut &Cut, const BlockNames &Fresh, Random &R);

struct StencilCut {
  std::vector<int> Parallel;  ///< symbols of Out
  std::vector<int> Low, High; ///< halo per dimension
  std::optional<LogicExpr> Fill;
};

/// The same for a stencil: blocks of Out, windows of In, which has the same dimensions.
void launchStencil(LogicBlock &Tunables, LogicBlock &B, const std::string &Callee,
                   const LogicTensor &Out, const LogicTensor &In, const StencilCut &Cut,
                   const BlockNames &Fresh, Random &R);

} // namespace septran::compiler
