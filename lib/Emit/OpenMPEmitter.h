//===- OpenMPEmitter.h - Program -> OpenMP C++, internals --------*- C++ -*-===//
//
// One emitter object prints one entry point's body. What it shares with emitters for other targets
// is in CxxEmitter; the rest is split over several files by what it prints:
//
//   OpenMP.cpp       the frame, scopes, views, buffers, calls
//   OpenMPLoops.cpp  loops over blocks
//   OpenMPRegions.cpp  parallel regions, shared reductions
//   OpenMPCopies.cpp copies between buffers and views, packing, register tiles
//   OpenMPLeaf.cpp   element loops that run one element at a time
//   OpenMPMoves.cpp  elements that are only moved, or set to a number
//   OpenMPRows.cpp   pointers to the rows that register tiles read
//   OpenMPOperands.cpp  what innermost loops read, held in registers
//   OpenMPLanes.cpp  values and statements in vector lanes
//   OpenMPLaneLoops.cpp loops in lanes, and what these reduce into
//   OpenMPRecords.cpp fields of records, which lanes access together
//   OpenMPInStep.cpp iterations that run together, part by part
//   OpenMPJoinedRows.cpp rows that follow each other in memory
//   OpenMPVersions.cpp code that serves whole blocks and the rest
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emit/CxxEmitter.h"
#include "Plan/ClipWindows.h"
#include "Plan/ClippedBlocks.h"
#include "Plan/LeafPrefetch.h"
#include "Plan/LeafStores.h"
#include "Plan/Records.h"
#include "Plan/TensorTable.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <memory>
#include <set>

namespace septran::compiler {

class OpenMPEmitter : private CxxEmitter {
public:
  OpenMPEmitter(const Program &P, Diagnostics &D);

  /// The text between the braces of the entry point's definition.
  std::string emitBody();

private:
  //===--- OpenMP.cpp -------------------------------------------------------===//
  void emitParameters();
  void emitStmt(const Stmt &S) override;
  void emitScope(const Scope &S);
  void emitScopeBody(const Block &B) override { emitPart(B); }
  void emitBranch(const Block &B) override { emitPart(B); }
  void emitAlloc(const Alloc &A, const Location &Loc);
  void emitFill(const If &I);
  std::string tileRegister(const View &V) const;
  void emitPrimitiveCall(const PrimitiveCall &C, const Location &Loc);

  //===--- OpenMPLoops.cpp ----------------------------------------------------===//
  void emitLoop(const For &F);
  /// How often `unroll` of the instance asks to repeat the body of F; 0 if it does not.
  std::int64_t unrollOf(const For &F) const;
  /// The pragma for that, right before the loop.
  void emitUnroll(const For &F);

  //===--- OpenMPRegions.cpp --------------------------------------------------===//
  struct Region {
    const For &F;
    std::vector<const For *> Group; ///< the loops that spread
    std::string Team, Clauses;
    std::string Threads; ///< how many there would be
    bool Fence = false;  ///< stores that pass by the caches: sent before others read them
    size_t Outside = 0;  ///< how many names are defined outside; threads get copies
    /// Whether a thread has nothing to do but iterations.
    bool isOneLoop() const { return F.Reductions.empty() && !Fence; }
  };
  Region regionOf(const For &F);
  void emitSpreadLoop(const For &F);
  std::vector<std::string> loopHeads(const std::vector<const For *> &Group);
  void emitRegion(const Region &R, llvm::function_ref<void()> EmitLoops);
  std::optional<std::string> countsOf(const std::vector<const For *> &Group);
  void emitUnlessAlone(Region R, const std::string &Block, llvm::function_ref<void()> EmitLoops);
  std::pair<std::string, std::string> emitBlockFunction(const Region &R);
  /// `#pragma omp Directive`, with the copies that each thread gets of what was defined before
  /// there were more than Count names (so far), and what EmitBody prints.
  void emitParallel(const std::string &Directive, size_t Count,
                    llvm::function_ref<void()> EmitBody);
  std::vector<std::string> copyable(const std::set<std::string_view> &Mentioned, size_t Count) const;
  void emitReductionsBefore(const For &F);
  void nameReductionParts(const For &F);
  void emitReductionParts(const For &F, const std::string &Thread);
  void emitReductionsAfter(const For &F);
  std::string ompSchedule(const For &F) const;
  std::optional<std::int64_t> teamSize() const;

  //===--- text ---------------------------------------------------------------===//
  CxxText elementOf(const Expr &Load) const override;
  /// The element of a register tile: `acc[i][v]` is a vector, with `[lane]` behind it a scalar.
  std::string tileElement(const Storage &S, const std::vector<Expr> &Indices) const;

  //===--- OpenMPCopies.cpp ---------------------------------------------------===//
  void emitCopy(const CopyStmt &C, const Location &Loc);
  void emitPlainCopy(const Storage &To, const Storage &From);
  void emitCopyLoop(bool AllCores, const VarRef &V, const std::string &Count,
                    llvm::function_ref<void()> EmitBody);
  void emitPanelByPanel(const Storage &To, const Storage &From, unsigned Dim);
  bool onAllCores() const;
  void emitSharedCopy(const Storage &To, const Storage &From, unsigned Row, unsigned Inner);
  void emitSharedPacking(const Storage &To, const Storage &From, unsigned PanelDim);
  void emitWindowCopy(const CopyStmt &C);
  TensorRef emitPaddedWindow(const CopyStmt &C, const Storage &Tile);
  void emitTileCopy(const CopyStmt &C, bool Into);
  void emitPrefetch(const CopyStmt &C);
  void emitPrefetchAtStart(const TensorRef &T);
  /// At the start of an iteration of F: what the leaf's later iterations will touch. `Step` is how far
  /// one iteration moves F's variable.
  void emitLeafPrefetches(const For &F, std::int64_t Step);
  /// Whether it would emit one; one for large tensors only.
  bool asksAhead(const For &F, bool IfLarge = false) const;
  std::vector<LeafPrefetch> Prefetches; ///< of the innermost scope
  const TensorTable Tensors;

  /// Stores of the innermost scope that may pass by the caches, each with the condition under which
  /// it does; empty: always. Decided: it is a constant in the code around.
  struct PastCaches {
    std::string Condition;
    bool Decided;
  };
  std::map<const Store *, PastCaches> Streaming;
  /// When results of the innermost scope do that, if the size decides; of several conditions the
  /// first by name.
  PastCaches whenLarge() const;
  void findStreaming(const Scope &S);
  const Scope *Innermost = nullptr;
  /// The tensor that V is a part of.
  TensorRef rootOf(const View &V) const;
  Expr bytesOf(const TensorRef &Root) const;

  //===--- OpenMPLeaf.cpp -----------------------------------------------------===//
  void emitStore(const Store &S);
  void emitAssign(const Assign &A);
  /// Loops of clipped register tiles around the current statement: variable -> number of valid
  /// iterations.
  std::vector<std::pair<VarRef, Expr>> Guards; ///< outermost first
  /// Indices as they may be read: guarded variables stay below their limit.
  std::vector<Expr> clamped(std::vector<Expr> Indices) const;
  /// An expression as scalars may get it: guarded variables outside of indices stay below their limit.
  Expr clampedValue(const Expr &E) const;
  Let clampedLet(const Let &L);
  std::map<VarRef, std::set<VarRef>> GuardsAround; ///< guarded variables where a scalar was defined
  Expr allInside(llvm::function_ref<bool(const VarRef &)> Counts) const;
  /// The condition under which an access is one of the tensor's elements; null if always.
  Expr guardOf(const std::vector<Expr> &Indices, bool IsTile) const;
  /// The condition under which conditions and bounds of the statement decide about iterations that
  /// there are; null if always.
  Expr guardOfDecision(const Stmt &S) const;
  /// Emits the statement under that condition; false, and nothing, if it needs none.
  bool emitGuarded(const Stmt &S, llvm::function_ref<void(const Stmt &)> Emit);

  /// While a statement is printed that stands under `Condition` (null: none), the variables in it
  /// need no clamping. Prefix is the `if` to print before the statement.
  struct Unguarded {
    OpenMPEmitter &Emitter;
    std::vector<std::pair<VarRef, Expr>> Saved;
    std::string Prefix;
    Unguarded(OpenMPEmitter &E, const Expr &Condition);
    ~Unguarded() { Emitter.Guards = std::move(Saved); }
    Unguarded(const Unguarded &) = delete;
    Unguarded &operator=(const Unguarded &) = delete;
  };

  //===--- OpenMPMoves.cpp ----------------------------------------------------===//
  struct MoveNest;
  static std::optional<MoveNest> moveNest(const For &F);
  static bool coversTile(const MoveNest &Nest, const Storage &Tile,
                         const std::vector<Expr> &Indices);
  // These print nothing, and return false, where the loops are something else.
  bool emitMove(const For &F);
  bool emitTileFill(const MoveNest &Nest);
  bool emitTileMove(const MoveNest &Nest);
  bool emitBlockMove(const MoveNest &Nest);
  std::pair<std::string, Expr> rowsAt(const Expr &Element, const For &Row,
                                      const For &InLanes) const;

  //===--- OpenMPRows.cpp -----------------------------------------------------===//
  struct RowPointers {
    TensorRef T;
    const For *Loop = nullptr; ///< over the rows of a register tile
    Expr Distance;             ///< of a row from the first
    Expr Step;                 ///< that of the second
    std::string Name;          ///< of the array
    bool Grouped = false;      ///< it is an object that has fewer pointers than rows
  };
  std::vector<RowPointers> Rows; ///< of the loops around the statement
  /// Where a load is that moves with the loop over a tile's rows.
  struct RowPlace {
    std::vector<Expr> InFirst; ///< its indices in the first row
    Expr Distance;             ///< from there
  };
  RowPlace rowPlace(const Expr &Load, const VarRef &Row) const;
  Expr stepOf(const Expr &Load, const VarRef &V) const;
  std::optional<RowPointers> rowsOf(const Expr &Load, const std::vector<const For *> &Tile,
                                    const std::set<VarRef> &Moving) const;
  std::vector<RowPointers> rowsIn(const For &F) const;
  static bool followsRow(const RowPointers &R);
  void emitRowPointers(const For &F);
  void emitGroupedRows(const For &F, const std::map<TensorRef, Storage> &Held);
  /// At the beginning of F's body, names for what these pointers are indexed by.
  void emitRowIndices(const For &F);
  std::map<std::string, VarRef> RowIndices; ///< by what they stand for
  Substitution RowVariables;                ///< of the loop, within other indices
  /// How far into its row a load goes: a constant behind what may have a name.
  std::pair<Expr, std::int64_t> alongRow(const Expr &Load, const RowPointers &R) const;
  const RowPointers *pointersFor(const Expr &Load) const; ///< null if there are none
  /// The element through one of these pointers; empty if there is none for it.
  std::string elementOfRow(const Expr &Load) const;
  std::optional<std::int64_t> arrayElements(const Alloc &A) const;
  bool worksOnTile(const Block &B) const;
  bool OnTile = false; ///< the innermost scope does
  static bool shiftsElements(const Block &B);
  bool Shifts = false; ///< so does the innermost scope
  std::string placeDefinition(const std::string &Name, const TensorRef &T, const std::string &Base,
                              const Expr &Offset) const override;

  //===--- OpenMPOperands.cpp -------------------------------------------------===//
  // Both return the storages as they were.
  std::map<TensorRef, Storage> hideStrides(const For &F);
  std::map<TensorRef, Storage> holdOperands(const For &F, std::string &End);
  bool isInnermostOnTile(const For &F) const;
  Expr heldStride(const TensorRef &T, const std::string &Stride,
                  std::map<std::string, VarRef> &Known);

  //===--- OpenMPLanes.cpp ----------------------------------------------------===//
  struct LaneValue {
    std::string Text;
    Binding Binds = Binding::Primary;
    bool IsVector = false;
    ScalarType Type = ScalarType::F32; ///< of the lanes; for masks that of the compared values
    bool IsMask = false;
    std::string Exact = {}; ///< of lanes rounded to a small float: the text before that
    std::string in(Binding Least) const { return Binds < Least ? "(" + Text + ")" : Text; }
  };
  struct LaneState {
    const For *Loop = nullptr;
    unsigned Width = 1;
    std::string Set; ///< of the lanes that there are; empty: all
    std::string Mask;  ///< of an enclosing condition that differs between lanes; empty: none
    ScalarType MaskType = ScalarType::I32;
    std::set<VarRef> Varying;
    std::set<VarRef> InOrder; ///< locals that are loaded in the program's order
    std::map<VarRef, ScalarType> MaskTypes; ///< of varying truth values: whose lanes the masks have
    std::map<std::string, std::string>
        Broadcasts; ///< vectors of one element, by the text of its load
    std::shared_ptr<const Records> Fields;
    std::map<const Store *, std::string> Waiting; ///< values of fields that are stored with others
    std::string Part = "0"; ///< which accumulator takes what this iteration has
  };
  std::optional<LaneState> Lanes;
  /// Reductions of a loop in lanes: what replaces a scalar or element within the loop; a vector, or an array of
  /// as many as the loop has accumulators.
  struct LaneSums {
    struct Sum {
      std::string Name;
      UpdateOp Op = UpdateOp::Add;
    };
    const For *Loop = nullptr;
    std::map<VarRef, Sum> Scalars;
    std::map<const Store *, Sum> Elements;
  };
  LaneSums Sums;

  void emitLaneBlock(const Block &B);
  /// The beginning of a loop in one in lanes.
  void openPlainLoop(const For &F);
  void emitLaneStmt(const Stmt &S);
  void emitLaneStore(const Store &S);
  void emitLaneAssign(const Assign &A);
  std::string sumText(const LaneSums::Sum &Sum) const;
  LaneValue laneExpr(const Expr &E);
  LaneValue laneBinary(const Expr &E);
  LaneValue laneCall(const Expr &E);
  static LaneValue rounded(const LaneValue &V, ScalarType Type);
  LaneValue laneCast(const Expr &E);
  LaneValue laneLoad(const Expr &E);
  bool variesInLanes(const Expr &E) const;
  /// The value as a vector of Type's lanes.
  std::string asVector(const LaneValue &V, ScalarType Type) const;
  /// As what is combined by Op with something before it.
  std::string asOperand(const LaneValue &V, ScalarType Type, UpdateOp Op) const;
  std::string asMask(const LaneValue &V, ScalarType Type) const;
  /// How the lanes move through memory: distance between neighbouring lanes, and the address of the
  /// first.
  struct LaneAddress {
    std::string Pointer;
    Expr Stride; ///< 1 for contiguous lanes
  };
  LaneAddress laneAddress(const Storage &S, const std::vector<Expr> &Indices) const;
  std::string laneLoadText(const TensorRef &T, const std::vector<Expr> &Indices);
  bool hasWholeVectors(const Storage &S, const std::vector<Expr> &Indices,
                       const For &InLanes) const;
  /// As scalarCombine, of vectors.
  static std::string laneCombine(UpdateOp Op, const std::string &A, const std::string &B);
  std::string reduceCallee(UpdateOp Op) const;
  std::string vectorType(ScalarType Type, unsigned Width);

  //===--- OpenMPLaneLoops.cpp ------------------------------------------------===//
  void emitLaneLoop(const For &F);
  bool storesRecords(const For &F) const;
  void emitAroundSums(const For &F, const For &InLanes);
  std::set<VarRef> loadedInOrder(const For &F) const;
  void broadcastElements(const For &F);
  void broadcastElements(const Expr &E);
  void openSums(const For &F);
  void closeSums(const For &F);
  void emitVectors(const For &F, const std::string &V, const std::string &Range);
  void emitForStores(const For &F, llvm::function_ref<void()> EmitLoop);

  //===--- OpenMPInStep.cpp ---------------------------------------------------===//
  struct StepNames {
    std::string First;     ///< of the iterations in step
    std::string Step;      ///< one of them
    std::string Count;     ///< how many they are
    std::set<VarRef> Kept; ///< have an array each
  };
  void emitInStep(const For &F);
  void emitStepParts(const For &F, const Block &B, const StepNames &In);
  std::string stepType(const VarRef &V);

  //===--- OpenMPRecords.cpp --------------------------------------------------===//
  std::shared_ptr<const Records> recordsOf(const For &InLanes) const;
  std::optional<Record> recordAt(const TensorRef &T, const std::vector<Expr> &Indices) const;
  std::string fieldLoadText(const TensorRef &T, const std::vector<Expr> &Indices) const;
  bool emitForRows(const For &F, const For &InLanes);
  bool emitFieldStore(const Store &S, const std::string &Value);
  std::string laneSet() const;
  const For *RowsAreKnown = nullptr; ///< the loop in lanes whose rows have the length of records

  //===--- OpenMPJoinedRows.cpp -----------------------------------------------===//
  struct JoinedRows {
    std::vector<const For *> Loops; ///< outermost first; the last one is in lanes
    std::set<TensorRef> Tensors;    ///< what they walk
  };
  std::optional<JoinedRows> rowsToJoin(const For &F) const;
  void emitJoinedRows(const JoinedRows &Rows);
  Expr distanceOfRows(const TensorRef &T, size_t Dims) const;
  std::map<const For *, Expr> Ends; ///< of loops over rows that may be joined
  /// Where F ends.
  Expr endOf(const For &F) const;

  //===--- OpenMPVersions.cpp -------------------------------------------------===//
  struct Lambda {
    std::string Call; ///< `f(` or `f(x, `, of which the lambda is the last argument
    std::vector<std::string> Parameters; ///< named in the text if the body names them
    std::string End = ");";
    bool OnCopy = false; ///< called by cpu::on_copy: what it captures is no memory
  };
  void emitLambda(const Lambda &L, const Block &Body, llvm::function_ref<void()> EmitBody);
  bool InLambda = false;
  bool OnCopy = false; ///< in a lambda of which cpu::on_copy makes a function of its own
  std::map<TensorRef, std::string> KeptBuffers; ///< the objects that hold what is kept with constants
  std::vector<std::string> Changing; ///< names of arrays, and of variables that lambdas change
  std::string LanesName, PartName;   ///< parameters of lambdas for vectors
  /// A block's extent that may be clipped, and what it is called where it stands for whole blocks, too.
  struct BlockSize : BlockExtent {
    VarRef V;
  };
  std::map<const If *, std::vector<BlockSize>> BlockSizes; ///< of those that choose whole blocks
  void nameBlockSizes(Block &B);
  Expr leftOf(const BlockSize &Size) const;
  void emitVersions(const If &I);
  void emitForSizes(const If &I);
  struct Part {
    const For *Tile = nullptr;
    bool Decides = false; ///< what the loop does beside the part
  };
  static Part partOf(const Block &B);
  void emitPart(const Block &B);
  bool InPart = false; ///< of a register tile
  /// Vectors that all rows of a tile work with, by the text of the load, and the array that holds them.
  std::map<std::string, std::string> Held;
  bool reloadsVectors(const For &Rows) const;
  void holdVectors(const For &Rows);

  Facts Ranges;                   ///< of the variables of loops
  std::vector<const For *> Loops; ///< plain loops around the statement
  bool InParallel = false;
  /// Where the threads' parts of a shared reduction are.
  struct ReductionPart {
    std::string Base, Size, Threads;
  };
  std::map<TensorRef, ReductionPart> ReductionParts;
  std::map<std::string, std::string> VectorTypes; ///< alias -> type, in order of name
};

/// The type that computes for T: float for the small floats, T otherwise.
ScalarType laneType(ScalarType T);

/// Whether F is over a dimension of a register tile, or over a part of one.
bool isUnrolledTile(const For &F);
/// Whether no iteration of a loop over a tile has to be clipped.
bool isWhole(const For &F);

} // namespace septran::compiler
