//===- ThreadAxes.h - dimensions and loops that threads share alike -*- C++ -*-===//
#pragma once

#include "Plan/LoopAnalysis.h"
#include "Plan/RegisterTiles.h"

#include <map>
#include <string>

namespace septran::compiler {

/// Dimensions of register tensors and loops of leaves that have to be divided alike.
struct ThreadAxis {
  std::int64_t Bound = 0; ///< elements
  bool Whole = false;     ///< every thread has all of it
  bool Reduced = false;   ///< a loop along it reduces
  /// Loops inside those along it find neighbouring elements with neighbouring threads, it does not.
  bool LeavesLanes = false;
  /// Threads that hold neighbours would find their elements of a matrix in memory apart.
  bool Strided = false;
  bool Assigned = false;
  Digits Parts;
};

/// The axes of one kernel.
class ThreadAxes {
  const TensorTable &Tensors;
  const RegisterTiles &Tiles;
  Diagnostics &D;
  std::vector<unsigned> Parent;
  std::vector<ThreadAxis> Axes;
  std::map<const For *, unsigned> OfLoop;
  std::map<std::pair<TensorRef, unsigned>, unsigned> OfDim;

  unsigned find(unsigned Node);
  unsigned add(ThreadAxis A);
  void unite(unsigned A, unsigned B);

public:
  ThreadAxes(const TensorTable &Tensors, const RegisterTiles &Tiles, Diagnostics &D)
      : Tensors(Tensors), Tiles(Tiles), D(D) {}

  /// An element access of a leaf below these loops.
  void note(const TensorRef &T, std::vector<Expr> Indices, const std::vector<For *> &Loops,
            const Location &Loc);

  /// The axis of a dimension of a register tensor, or of a loop; null for a loop without one.
  ThreadAxis &of(const TensorRef &Tile, unsigned Dim);
  ThreadAxis *of(const For &F);
};

/// The iterations of F meet in scalars and elements that do not depend on loops inside it, so that
/// partial results of several threads can be combined behind it.
bool isCombinable(const For &F);

} // namespace septran::compiler
