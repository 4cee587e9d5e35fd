//===- Traffic.h - what moves between the caches -----------------*- C++ -*-===//
#pragma once

#include "IR/BufferLayout.h"
#include "IR/Tensor.h"
#include "Machine/Machine.h"

#include <map>
#include <vector>

namespace septran::compiler {

/// Rows that are walked side by side: more of them, whose distances are the tensor's, displace each
/// other from a cache of few ways.
inline constexpr double Streams = 8;

/// What memory is read and written by.
inline constexpr double LineBytes = 64;

struct LoopAt {
  VarRef V; ///< null: not a loop, but a part that runs now and then
  double Trip = 1; ///< iterations, on average over those of the loops around
  double Most = 1; ///< those of a block that is not clipped
  double Step = 1;
  double Effective = 1; ///< iterations of one processor
  double Vectors = 1;   ///< Effective, in vectors where the loop is one of lanes
  int Parent = -1;
  bool Unrolled = false, Lanes = false;
  unsigned Width = 1;
};

/// An access to memory: how far it moves in its root with each loop around it.
struct AccessAt {
  TensorRef Root;
  size_t Number =
      0;         ///< of the root, in the order of first accesses: sums must not depend on addresses
  int Loop = -1; ///< innermost around it
  std::vector<std::map<int, double>> Moves; ///< per dimension of the root: elements per iteration
  std::vector<double> Extents;
  std::vector<LayoutMode> Order; ///< of the root's elements
  std::vector<double> Strides;   ///< distance of neighbours, in elements
  double Beside =
      1; ///< rows of the root that accesses in the same loop walk in step, this one's too
  bool Write = false, Packed = false;
  bool Streamed = false;   ///< written past the caches
  bool InLeaf = false;     ///< as code of loops
  bool Asks = false;       ///< for a line that it needs later, each time
  bool Prefetched = false; ///< that line comes sooner than by itself
  unsigned Record = 0;     ///< elements of the records of which the lanes access a field
  bool WholeRecord = false; ///< together with the others
  bool Transposed = false; ///< lanes are neighbours only after squares of registers are transposed
};

/// Cycles that these accesses wait for data from beyond the nearest cache, in loops of these
/// numbers.
double trafficCycles(const std::vector<LoopAt> &Loops, const std::vector<AccessAt> &Accesses,
                     const Machine &Target);

} // namespace septran::compiler
