//===- Estimator.h - the model of a mapped program's cost -------*- C++ -*-===//
//
// Walks a planned program once, for calls of certain sizes: counts instructions where they stand,
// and collects accesses with the loops around them, which are counted at the end, together with
// what moves between the caches.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Derive/EstimateCost.h"
#include "Derive/Nominal.h"
#include "Derive/Traffic.h"
#include "Plan/ClippedBlocks.h"
#include "Plan/Records.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <cmath>
#include <set>

namespace septran::compiler {

class Estimator {
public:
  Estimator(const Program &P, const NominalSizes &Sizes, Asking Asks);

  /// Cycles, about.
  double run();

private:
  /// Cycles of a usual out-of-order core. Two vector operations, two loads and four operations on
  /// indices start per cycle.
  static constexpr double Operation = 0.5, IndexOperation = 0.25, LoadCycles = 0.5, StoreCycles = 1,
                          DivisionCycles = 4, FunctionCycles = 15, LoopCycles = 1,
                          OpaqueCycles = 10;
  /// Putting an element into its lane, or taking it from there.
  static constexpr double InsertCycles = 1;

  const Program &P;
  const NominalSizes &Sizes;
  const Asking Asks;
  Nominal Values;
  const TensorTable Tensors;
  const Records *InLanes = nullptr; ///< of the loop in lanes at this point
  std::vector<LoopAt> Loops;
  std::map<size_t, const For *> Sources; ///< of loops, by their numbers; copies have none
  std::vector<AccessAt> Accesses;
  std::map<TensorRef, size_t> Numbers; ///< of roots
  std::map<std::pair<size_t, int>, std::set<std::vector<double>>>
      Rows; ///< of a root, walked in a loop
  std::map<TensorRef, const Alloc *> Allocs;
  std::map<const Store *, StoreKind> Ways; ///< of stores that may pass by the caches
  struct LeafAt {
    bool Is = false;
    std::set<TensorRef> Asks; ///< what it reads and asks for ahead
  };
  LeafAt Leaf;                 ///< at this point
  std::map<VarRef, int> SetIn; ///< the loop in whose body a scalar has got its value
  int Innermost = -1;
  double Cores = 1;       ///< that work at this point
  bool InTeam = false;    ///< even if it is one core
  double InStep = 1;      ///< iterations of a loop around that run together
  double InRegisters = 0; ///< vectors of tiles that live at this point
  bool Spills = false;    ///< somewhere
  struct TileDim {
    Expr Extent;
    std::int64_t Step; ///< elements that are computed together where it is clipped
  };
  std::vector<TileDim> TileDims; ///< of register tiles around
  double SimdBytes = 16;

  //===--- EstimateCost.cpp: statements and expressions ---===//

  double blockCycles(const Block &B);
  double stmtCycles(const Stmt &S);
  /// On numbers that the caller gives.
  bool dependsOnCall(const Expr &Condition) const;
  /// Adding a product is one operation with it.
  static double updateCycles(UpdateOp Op, const Expr &Value);
  /// Of variables and extents alone.
  static bool isOfIndices(const Expr &E);
  /// How often in all iterations an index, a condition, or a choice between numbers is computed,
  /// where once is enough for those of the loops further in that it does not depend on, and never
  /// if it is a number in code that is written out.
  double timesComputed(const Expr &E) const;
  /// The variable of a loop around that is a constant wherever its body stands.
  bool isWrittenOut(const VarRef &V) const;
  /// Of the machine, that an operation in lanes takes or gives; 1 outside of them.
  double vectorsOf(const Expr &E) const;
  double exprCycles(const Expr &E);
  /// A register tile, and the other code for clipped ones.
  double tileCycles(const If &I, const std::vector<BlockExtent> &Extents);
  double opaqueCycles(const OpaqueCall &C);
  double primitiveCycles(const PrimitiveCall &C);

  //===--- EstimateLoops.cpp ---===//

  int enter(LoopAt L);
  /// Iterations of the busiest processor.
  static double perCore(double Trip, double Cores) { return std::ceil(Trip / Cores); }
  static double vectors(double Elements, double Width);
  double loopCycles(const For &F);
  /// Iterations, or vectors, of a loop over a tile that is clipped to that size: of those behind it
  /// some are computed, too.
  double computed(const For &F, double Size, double Width) const;
  /// Sets how many iterations a loop has that has any, on average over those of the loops around
  /// it. In what part of them it has some.
  double countIterations(const For &F, LoopAt &L);
  double iterations(const For &F, LoopAt L);
  /// Accesses from that one on, in a loop of which so many vectors are in step: these are neighbours in time, the
  /// loops inside it around them.
  void putStepsInside(int Loop, double Steps, size_t FirstAccess);
  static bool isPeeled(const For &F);
  /// Of a sum, vectors that took turns are added. Then, of each sum, halves, quarters and so on.
  static double lanesToOne(double Width, double Sums);
  /// To how many things that stay the same the loop adds.
  double sumsOf(const For &F) const;
  /// Code that runs in a part of the iterations, and takes so many times the instructions that it
  /// names.
  double partly(double Share, llvm::function_ref<double()> Code, double Instructions = 1);
  double partly(double Share, const Block &B, double Instructions = 1);

  //===--- EstimateIterations.cpp ---===//

  struct LoopAround {
    const For *F;
    bool Moves; ///< what is looked at
  };
  /// Variables of loops around on which the value of an expression depends.
  std::set<VarRef> movedBy(const Expr &E) const;
  /// Loops around, outermost first, that these variables belong to, or whose number of iterations
  /// depends on them.
  std::vector<LoopAround> loopsAround(const std::set<VarRef> &Moving) const;
  void forIterations(llvm::ArrayRef<LoopAround> Around, double Weight,
                     llvm::function_ref<void(double)> Use);
  /// Calls `Use` in iterations of the loops around that these variables belong to, with the part of
  /// all iterations that each stands for.
  void forIterations(const std::set<VarRef> &Moving, llvm::function_ref<void(double)> Use);
  /// Of what is usual and what is not.
  double mean(const Expr &E);
  /// In what part of the iterations a condition holds.
  double likelihood(const Expr &Condition);

  //===--- EstimateCopies.cpp ---===//

  double copyCycles(const CopyStmt &C);
  struct CopyLoops {
    double Cycles;
    /// The dimension along which neighbours lie in the source, where that is another one.
    std::optional<unsigned> Along;
  };
  /// Of a row of a copy, which goes to one panel after the other.
  double rowVectors(const View &To, unsigned Lanes, double Elements, double Width) const;
  /// Row by row, or by squares of `Transposed` and the lanes.
  CopyLoops copyLoops(const CopyStmt &C, std::optional<unsigned> Transposed);

  //===--- EstimateAccesses.cpp ---===//

  bool isRegister(const TensorRef &Root) const;
  /// Along which a tile lies in vectors; null if it does not.
  static const LayoutMode *lanesOfTile(const Alloc &A);
  /// An element of a tile that lies in vectors, set without them: it is put into its lane.
  bool isOneLane(const TensorRef &T) const;
  /// Of a buffer whose layout is known; null otherwise.
  const BufferLayout *layoutOf(const TensorRef &Root) const;
  /// Rows whose elements lie side by side, few enough for instructions to take them together.
  std::int64_t interleaved(const TensorRef &Root) const;
  /// The dimension along which neighbours lie, as far as a buffer's layout is known. Rows that are
  /// interleaved are read and written by whole vectors.
  unsigned lanesOf(const TensorRef &Root) const;
  /// The tile, and those that live with it, leave no registers for a row of another operand, which
  /// several rows of the tile need, and one value of a third.
  bool spills(const Alloc &A);
  void accessView(const View &V, const std::vector<Expr> &Indices, bool Write);
  /// All elements, by instructions that something else counts.
  void accessAll(const View &V, bool Write);
  void access(const TensorRef &T, const std::vector<Expr> &Indices, bool Write,
              StoreKind Way = StoreKind::Cached);
  void addAccess(const TensorRef &Root, const std::vector<Expr> &Indices, bool Write,
                 StoreKind Way = StoreKind::Cached);
  /// Rows begin where lines do, or are long (cpu::fill_lines).
  static bool fillsLines(const AccessAt &A);
  static bool movesWith(const AccessAt &A, int Loop);
  /// What it needs some iterations later is in another row, which prefetchers do not see coming. An
  /// iteration is one of the innermost loop that moves it and is no part of a register tile.
  bool walksAcross(const AccessAt &A) const;
  /// How many elements apart iterations of the loop are along which neighbours lie: 1 where they
  /// are neighbours or the same; 0 where the loop walks another dimension.
  static double strideAlong(const AccessAt &A, int Loop);
  static bool runsAlong(const AccessAt &A, int Loop) { return strideAlong(A, Loop) == 1; }
  /// A loop in lanes goes from one neighbour to the next.
  bool hasLanes(const AccessAt &A) const;
  /// Instructions of one access, executed as often as it needs to be.
  double accessCycles(const AccessAt &A) const;
};

} // namespace septran::compiler
