//===- EstimateCost.cpp - how long a mapped program takes, about ----------===//
#include "Derive/EstimateCost.h"

#include "Derive/Nominal.h"
#include "Derive/Traffic.h"
#include "IR/Rewrite.h"
#include "Plan/Accumulators.h"
#include "Plan/LaneLegality.h"
#include "Plan/LeafStores.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace septran::compiler {

namespace {

// Cycles of a usual out-of-order core. Two vector operations, two loads and four operations on indices start per cycle.
constexpr double Operation = 0.5, IndexOperation = 0.25, LoadCycles = 0.5, StoreCycles = 1, DivisionCycles = 4,
                 FunctionCycles = 15, LoopCycles = 1, OpaqueCycles = 10;
/// Of an addition that needs the one before.
constexpr double SumLatency = 4;
/// Vectors that take turns in a sum along the lanes.
constexpr double LaneSums = 4;
/// What a vector costs that is not full, in full ones: masks are made, and what is missing filled in.
constexpr double PartialVectors = 2;
/// Further cycles of a loop that ends with such a vector.
constexpr double MaskCycles = 5;
/// Putting an element into its lane, or taking it from there.
constexpr double InsertCycles = 1;
/// Beginning another row of a copy.
constexpr double RowCycles = 4;
/// Rows that are interleaved at most, and the side of squares of registers that are transposed.
constexpr std::int64_t MaxInterleaved = 4;
constexpr double MaxSquare = 16;
/// What passes by the caches must fill lines, but for the ends of long rows.
constexpr double LineBytes = 64, LongRowBytes = 4096;
/// C++ compilers write the body of a loop so often instead, with those of loops in it, if its iterations are a
/// constant. Sums in it do not wait for those of the iterations around.
constexpr std::int64_t MaxPeeled = 16;
/// Starting a team and meeting again at the end of its loop.
constexpr double TeamCycles = 8000;
/// Of code that the nominal sizes do not reach, but others do.
constexpr double UnlikelyShare = 0.05;
/// Of filling what is kept with a constant, which the first of its calls does.
constexpr double FirstCallShare = 0.1;
/// What a clipped block costs, in whole ones: conditions and masks.
constexpr double ClippedFactor = 2;
constexpr double SpillFactor = 2;
/// Of accesses to more rows at a time than Streams.
constexpr double StreamFactor = 2;

class Estimator {
  const Program &P;
  const NominalSizes &Sizes;
  Nominal Values;
  std::vector<LoopAt> Loops;
  std::map<size_t, const For *> Sources; ///< of loops, by their numbers; copies have none
  std::vector<AccessAt> Accesses;
  std::map<TensorRef, size_t> Numbers; ///< of roots
  std::map<std::pair<size_t, int>, std::set<std::vector<double>>> Rows; ///< of a root, walked in a loop
  std::map<TensorRef, const Alloc *> Allocs;
  std::map<const Store *, StoreKind> Ways; ///< of stores that may pass by the caches
  std::map<VarRef, int> SetIn;             ///< the loop in whose body a scalar has got its value
  int Innermost = -1;
  double Cores = 1;      ///< that work at this point
  bool InTeam = false;   ///< even if it is one core
  double InRegisters = 0; ///< vectors of tiles that live at this point
  bool Spills = false; ///< somewhere
  double SimdBytes = 16;

  bool isRegister(const TensorRef &Root) const {
    auto A = Allocs.find(Root);
    if (A == Allocs.end())
      return false;
    const Memory *M = P.Target->findMemory(A->second->Memory);
    return M && M->Registers;
  }

  /// Along which a tile lies in vectors; null if it does not.
  static const LayoutMode *lanesOfTile(const Alloc &A) {
    const bool HasLanes = A.Layout && !A.Layout->Modes.empty() &&
                          A.Layout->Modes.back().P == LayoutMode::Part::Remainder;
    return HasLanes ? &A.Layout->Modes.back() : nullptr;
  }

  /// An element of a tile that lies in vectors, set without them: it is put into its lane.
  bool isOneLane(const TensorRef &T) const {
    const TensorRef Root = Values.rootElement(T, {}).Root;
    if (!isRegister(Root) || !lanesOfTile(*Allocs.at(Root)))
      return false;
    for (int L = Innermost; L >= 0; L = Loops[L].Parent)
      if (Loops[L].Lanes)
        return false;
    return true;
  }

  /// The dimension along which neighbours lie, as far as a buffer's layout is known. Rows of which a few
  /// lie side by side are read and written by whole vectors.
  unsigned lanesOf(const TensorRef &Root) const {
    auto Own = Allocs.find(Root);
    const BufferLayout *Layout = Own == Allocs.end() ? nullptr : Own->second->Layout.get();
    if (!Layout || Layout->Modes.empty())
      return std::max(1u, Root->Rank) - 1;
    auto Innermost = Layout->Modes.rbegin();
    if (Innermost->P == LayoutMode::Part::Remainder && Innermost->Split <= MaxInterleaved &&
        Layout->Modes.size() > 1)
      ++Innermost;
    return Innermost->Dim;
  }

  /// The tile, and those that live with it, leave no registers for a row of another operand, which
  /// several rows of the tile need, and one value of a third.
  bool spills(const Alloc &A) {
    const Memory *M = P.Target->findMemory(A.Memory);
    const LayoutMode *Lanes = lanesOfTile(A);
    double Vectors = 1, Row = 1;
    for (unsigned Dim = 0; Dim < A.Bounds.size(); ++Dim) {
      const double Here = Lanes && Lanes->Dim == Dim
                              ? std::ceil(double(A.Bounds[Dim]) / double(Lanes->Split))
                              : double(A.Bounds[Dim]);
      Vectors *= Here;
      if (Lanes && Lanes->Dim == Dim)
        Row = Here;
    }
    InRegisters += Vectors;
    if (Vectors == Row)
      Row = 1;
    return InRegisters + Row + 1 > double(M->Registers->Value.Count);
  }

  //===--- loops -------------------------------------------------------------===//

  int enter(LoopAt L) {
    L.Parent = Innermost;
    Loops.push_back(std::move(L));
    return Innermost = int(Loops.size()) - 1;
  }

  /// Iterations of the busiest processor.
  static double perCore(double Trip, double Cores) { return std::ceil(Trip / Cores); }

  static double vectors(double Elements, double Width) {
    const double Whole = std::floor(Elements / Width);
    return Whole + (Whole * Width < Elements ? PartialVectors : 0);
  }

  double loopCycles(const For &F) {
    LoopAt L;
    L.V = F.V;
    L.Lanes = F.Exec == LoopExec::Lanes;
    L.Width = L.Lanes ? F.Width : 1;
    const double Share = countIterations(F, L);
    if (Share == 0)
      return 0;
    if (Share < 1)
      return partly(Share, [&] { return iterations(F, std::move(L)); });
    return iterations(F, std::move(L));
  }

  /// Sets how many iterations a loop has that has any, on average over those of the loops around it. In
  /// what part of them it has some.
  double countIterations(const For &F, LoopAt &L) {
    struct Counts {
      double Some, Trip, Effective, Vectors;
    };
    std::optional<Counts> Middle;
    Counts Sum{};
    forUsualIterations([&](double Part) {
      Counts Here{};
      Here.Trip = std::max(0.0, std::ceil((Values.of(F.Hi) - Values.of(F.Lo)) / double(F.Step)));
      Here.Some = Here.Trip > 0;
      const double OnCores =
          F.Spread.empty() ? 1 : std::min(Here.Trip, std::max(1.0, Sizes.Cores / Cores));
      Here.Effective = OnCores > 1 ? perCore(Here.Trip, OnCores) : Here.Trip;
      // Of a tile that is clipped all rows are computed.
      Here.Vectors = Here.Some * (F.StaticTrip ? std::ceil(double(F.StaticTrip) / L.Width)
                                               : vectors(Here.Effective, L.Width));
      const Counts From = Middle ? *Middle : Counts{};
      for (double Counts::*Count : {&Counts::Some, &Counts::Trip, &Counts::Effective, &Counts::Vectors})
        Sum.*Count += Part * (Here.*Count - From.*Count);
      if (!Middle)
        Middle = Here;
    });
    const double Share = std::min(1.0, Sum.Some);
    if (Share <= 0 || Sum.Trip <= 0 || Sum.Vectors <= 0)
      return 0;
    L.Trip = std::max(1.0, Sum.Trip / Share);
    L.Effective = std::clamp(Sum.Effective / Share, 1.0, L.Trip);
    L.Vectors = Sum.Vectors / Share;
    return Share > 0.999 ? 1 : Share;
  }

  double iterations(const For &F, LoopAt L) {
    L.Step = double(F.Step);
    const double Outside = Cores;
    const bool HadTeam = InTeam;
    double Start = 0;
    if (!F.Spread.empty()) {
      Cores *= L.Trip / L.Effective;
      Start = HadTeam ? 0 : TeamCycles;
      InTeam = true;
    }
    L.Unrolled = F.Exec == LoopExec::Unrolled || F.StaticTrip != 0 || isPeeled(F);
    const double Vectors = L.Vectors;
    const bool Unrolled = L.Unrolled;
    if (L.Lanes && !Unrolled && std::fmod(L.Effective, L.Width) != 0)
      Start += MaskCycles;
    Values.set(F.V, Values.of(F.Lo));
    const int Before = Innermost;
    Sources[size_t(enter(std::move(L)))] = &F;
    const double Body = blockCycles(F.Body);
    Innermost = Before;
    Cores = Outside;
    InTeam = HadTeam;
    if (Unrolled)
      return Start + Vectors * Body;
    const bool InLanes = F.Exec == LoopExec::Lanes;
    const double Sums = sumsOf(F);
    const double Waits = Sums == 0 ? 0 : SumLatency / (InLanes ? LaneSums : 1);
    const For *Summing = InLanes && F.SumsAround == 0 ? &F : sumsThroughout(F);
    return Start + Vectors * std::max(Body + LoopCycles, Waits) +
           (Summing ? lanesToOne(Summing->Width, sumsOf(*Summing)) : 0);
  }

  static bool isPeeled(const For &F) {
    std::int64_t Times = 1;
    const auto Count = [&](const For &Loop) {
      const std::optional<std::int64_t> Lo = constantValue(Loop.Lo), Hi = constantValue(Loop.Hi);
      const bool Fits = Loop.Exec != LoopExec::Lanes && Lo && Hi && *Hi - *Lo <= MaxPeeled * Loop.Step;
      Times = Fits && Times <= MaxPeeled ? Times * std::max<std::int64_t>(1, (*Hi - *Lo) / Loop.Step) : MaxPeeled + 1;
    };
    Count(F);
    walkStmts(F.Body, [&](const Stmt &S) {
      if (const auto *Inside = S.getIf<For>())
        Count(*Inside);
    });
    return Times <= MaxPeeled;
  }

  /// Of a sum, vectors that took turns are added. Then, of each sum, halves, quarters and so on.
  static double lanesToOne(double Width, double Sums) {
    if (Sums == 0)
      return 0;
    return std::max(0.0, LaneSums - Sums) * Operation + Sums * std::log2(Width) * (InsertCycles + Operation);
  }

  /// To how many things that stay the same the loop adds.
  double sumsOf(const For &F) const {
    const DefinedSymbols Inside = definedIn(F.Body);
    double Found = 0;
    walkStmts(F.Body, [&](const Stmt &S) {
      if (const auto *A = S.getIf<Assign>())
        Found += A->Op != UpdateOp::Set && !Inside.Vars.count(A->V);
      else if (const auto *St = S.getIf<Store>())
        Found += St->Op != UpdateOp::Set &&
                 std::none_of(St->Indices.begin(), St->Indices.end(),
                              [&](const Expr &I) { return mentions(I, F.V); });
    });
    return Found;
  }

  //===--- statements ----------------------------------------------------------===//

  double blockCycles(const Block &B) {
    const double Outside = InRegisters;
    double Sum = 0;
    for (const Stmt &S : B)
      Sum += stmtCycles(S);
    InRegisters = Outside;
    return Sum;
  }

  double stmtCycles(const Stmt &S) {
    if (const auto *F = S.getIf<For>())
      return loopCycles(*F);
    if (const auto *Sc = S.getIf<Scope>()) {
      for (const LeafStores &L : leafStores(*Sc))
        for (const Store *Last : L.Last)
          Ways[Last] = L.Kind;
      return blockCycles(Sc->Body);
    }
    if (const auto *I = S.getIf<If>()) {
      if (I->Fills)
        return partly(FirstCallShare, I->Then);
      const auto [Taken, Other] = usually(I->Condition);
      // The first block may be clipped as well: where its tensor ends before a whole one does.
      const double Usual = I->ChoosesWhole && !Taken ? ClippedFactor : 1;
      return exprCycles(I->Condition) + partly(Usual * (1 - Other), Taken ? I->Then : I->Else) +
             partly(std::max(UnlikelyShare, ClippedFactor * Other), Taken ? I->Else : I->Then);
    }
    if (const auto *L = S.getIf<Let>()) {
      if (!L->Value)
        return 0;
      if (L->Mutable)
        Values.set(L->V, Values.of(L->Value));
      else
        Values.define(L->V, L->Value);
      SetIn[L->V] = Innermost;
      return exprCycles(L->Value);
    }
    if (const auto *A = S.getIf<Assign>()) {
      SetIn[A->V] = Innermost;
      return exprCycles(A->Value) + (A->Op == UpdateOp::Set ? 0 : updateCycles(A->Op, A->Value));
    }
    if (const auto *St = S.getIf<Store>()) {
      const auto Way = Ways.find(St);
      access(St->T, St->Indices, true, Way == Ways.end() ? StoreKind::Cached : Way->second);
      if (St->Op != UpdateOp::Set)
        access(St->T, St->Indices, false);
      const double Lane = !isOneLane(St->T) ? 0 : InsertCycles * (St->Op == UpdateOp::Set ? 1 : 2);
      return Lane + exprCycles(St->Value) +
             (St->Op == UpdateOp::Set ? 0 : updateCycles(St->Op, St->Value));
    }
    if (const auto *D = S.getIf<Define>())
      Values.define(D->T, D->Value);
    else if (const auto *A = S.getIf<Alloc>()) {
      Values.allocate(A->T, A->Extents);
      Allocs[A->T] = A;
      Spills |= isRegister(A->T) && spills(*A);
    } else if (const auto *C = S.getIf<CopyStmt>())
      return copyCycles(*C);
    else if (const auto *O = S.getIf<OpaqueCall>())
      return opaqueCycles(*O);
    else if (const auto *C = S.getIf<PrimitiveCall>())
      return primitiveCycles(*C);
    return 0;
  }

  struct Likelihood {
    bool Holds;   ///< in most iterations
    double Other; ///< the part of them in which it is the other way round
  };

  /// Loops around, outermost first, that have several iterations.
  std::vector<size_t> loopsAround() const {
    std::vector<size_t> Result;
    for (int L = Innermost; L >= 0; L = Loops[L].Parent)
      if (Sources.count(size_t(L)) && Loops[L].Trip > 1)
        Result.push_back(size_t(L));
    std::reverse(Result.begin(), Result.end());
    return Result;
  }

  /// Goes to the middle of all of them, but in one to the first or last iteration. Whether that is reached.
  bool goTo(const std::vector<size_t> &Around, size_t Loop, bool Last) {
    for (size_t L : Around) {
      const For &F = *Sources.at(L);
      const double Lo = Values.of(F.Lo), Step = double(F.Step);
      const double Trip = std::ceil((Values.of(F.Hi) - Lo) / Step);
      if (Trip <= 0)
        return false;
      Values.set(F.V, Lo + Step * (L != Loop ? std::floor((Trip - 1) / 2) : Last ? Trip - 1 : 0));
    }
    return true;
  }

  /// Calls `Use` in the middle of all loops around, and then in the first and last iteration of each, whose block
  /// may be clipped or lie at a border, with the part of that loop's iterations that these are; 1 for the middle.
  template <class UseFn> void forUsualIterations(UseFn Use) {
    const std::vector<size_t> Around = loopsAround();
    std::vector<double> Here;
    for (size_t L : Around)
      Here.push_back(Values.of(varExpr(Loops[L].V)));
    goTo(Around, Loops.size(), false);
    Use(1);
    for (size_t L : Around)
      for (bool Last : {false, true})
        if (goTo(Around, L, Last))
          Use(1 / Loops[L].Trip);
    for (size_t I = 0; I < Around.size(); ++I)
      Values.set(Loops[Around[I]].V, Here[I]);
  }

  /// Whether a condition holds in the middle of all loops, and how often it is another one.
  Likelihood usually(const Expr &Condition) {
    std::optional<bool> Holds;
    double Same = 1;
    forUsualIterations([&](double Part) {
      const bool Here = Values.of(Condition) != 0;
      if (!Holds)
        Holds = Here;
      else if (Here != *Holds)
        Same *= 1 - Part;
    });
    return {*Holds, 1 - Same};
  }

  /// Code that runs in a part of the iterations.
  double partly(double Share, llvm::function_ref<double()> Code) {
    LoopAt Part;
    Part.Trip = Part.Effective = Part.Vectors = Share;
    const int Before = Innermost;
    enter(std::move(Part));
    const double Body = Code();
    Innermost = Before;
    return Share * Body;
  }
  double partly(double Share, const Block &B) {
    return partly(Share, [&] { return blockCycles(B); });
  }

  /// Adding a product is one operation with it.
  static double updateCycles(UpdateOp Op, const Expr &Value) {
    const bool Fuses = (Op == UpdateOp::Add || Op == UpdateOp::Sub) &&
                       Value->Kind == ExprKind::Binary && Value->Bin == BinaryOp::Mul;
    return Fuses ? 0 : Operation;
  }

  /// Of variables and extents alone.
  static bool isOfIndices(const Expr &E) {
    bool OfMemory = false;
    walkExprs(E, [&](const Expr &Part) {
      OfMemory |= Part->Kind == ExprKind::Load || Part->Kind == ExprKind::Call;
    });
    return !OfMemory;
  }

  /// How often in all iterations an index, a condition, or a choice between numbers is computed, where once is
  /// enough for those of the loops further in that it does not depend on, and never if it is a number in code
  /// that is written out.
  double timesComputed(const Expr &E) const {
    const bool OfMemory = !isOfIndices(E);
    const std::vector<VarRef> Vars = collectVars(E);
    if (isFloat(E->Type) && (OfMemory || std::any_of(Vars.begin(), Vars.end(), [](const VarRef &V) {
                               return isFloat(V->Type);
                             })))
      return 1;
    if (std::all_of(Vars.begin(), Vars.end(), [&](const VarRef &V) { return isWrittenOut(V); }) && !OfMemory)
      return 0;
    double Share = 1;
    for (int L = OfMemory ? -1 : Innermost; L >= 0; L = Loops[L].Parent) {
      if (std::any_of(Vars.begin(), Vars.end(), [&](const VarRef &V) {
            auto Set = SetIn.find(V);
            return V == Loops[L].V || (Set != SetIn.end() && Set->second == L);
          }))
        break;
      if (Loops[L].V)
        Share /= Loops[L].Vectors;
    }
    return Share;
  }

  /// The variable of a loop around that is a constant wherever its body stands.
  bool isWrittenOut(const VarRef &V) const {
    for (int L = Innermost; L >= 0; L = Loops[L].Parent)
      if (Loops[L].V == V)
        return Loops[L].Unrolled && !Loops[L].Lanes;
    return false;
  }

  double exprCycles(const Expr &E) {
    double Sum = 0;
    const Expr &Decides = E->Kind == ExprKind::Select ? E->Args[0] : E;
    const double Each = !isFloat(Decides->Type) && isOfIndices(Decides) ? IndexOperation : Operation;
    switch (E->Kind) {
    case ExprKind::Load:
      access(E->T, E->Args, false);
      return 0; // indices are addresses
    case ExprKind::Binary: {
      const bool Sums = E->Bin == BinaryOp::Add || E->Bin == BinaryOp::Sub;
      bool Fuses = false;
      for (const Expr &A : E->Args)
        Fuses |= Sums && A->Kind == ExprKind::Binary && A->Bin == BinaryOp::Mul;
      const bool Divides = E->Bin == BinaryOp::Div || E->Bin == BinaryOp::Rem;
      const bool Jumps = Each == IndexOperation && (E->Bin == BinaryOp::And || E->Bin == BinaryOp::Or);
      Sum = Divides ? DivisionCycles : Fuses || Jumps ? 0 : Each;
      break;
    }
    case ExprKind::Unary:
    case ExprKind::Select:
    case ExprKind::Cast:
      Sum = Each;
      break;
    case ExprKind::Call:
      Sum = E->Callee == "sqrt" ? DivisionCycles : FunctionCycles;
      break;
    default:
      break;
    }
    if (Sum > 0)
      Sum *= timesComputed(E);
    for (const Expr &A : E->Args)
      Sum += exprCycles(A);
    return Sum;
  }

  double copyCycles(const CopyStmt &C) {
    const size_t FirstLoop = Loops.size(), FirstAccess = Accesses.size();
    const CopyLoops Direct = copyLoops(C, std::nullopt);
    if (!Direct.Along)
      return Direct.Cycles;
    Loops.resize(FirstLoop);
    Accesses.resize(FirstAccess);
    return copyLoops(C, Direct.Along).Cycles;
  }

  struct CopyLoops {
    double Cycles;
    /// The dimension along which neighbours lie in the source, where that is another one.
    std::optional<unsigned> Along;
  };

  /// Of a row of a copy, which goes to one panel after the other.
  double rowVectors(const View &To, unsigned Lanes, double Elements, double Width) const {
    auto Own = Allocs.find(To.Base);
    const std::int64_t Split = Own != Allocs.end() && Own->second->Layout
                                   ? Own->second->Layout->splitOf(Lanes)
                                   : 0;
    if (!Split || double(Split) >= Elements)
      return vectors(Elements, Width);
    return std::ceil(Elements / double(Split)) * vectors(double(Split), Width);
  }

  /// Row by row, or by squares of `Transposed` and the lanes.
  CopyLoops copyLoops(const CopyStmt &C, std::optional<unsigned> Transposed) {
    const int Before = Innermost;
    double Vectors = 1;
    const unsigned Rank = C.Dst.rank();
    std::vector<Expr> Indices(Rank);
    std::vector<int> LoopOf(Rank);
    const unsigned Lanes = std::min(lanesOf(C.Dst.Base), std::max(1u, Rank) - 1);
    const double Width = std::max(
        1.0, std::min(SimdBytes / byteSize(C.Dst.Base->Element), Transposed ? MaxSquare : SimdBytes));
    auto Enter = [&](double Trip, double Effective, double Times) {
      LoopAt L;
      L.V = makeVar("c", ScalarType::I64, VarKind::Loop);
      L.Trip = Trip;
      L.Effective = Effective;
      L.Vectors = Times;
      Vectors *= Times;
      Values.set(L.V, 0);
      const Expr V = varExpr(L.V);
      enter(std::move(L));
      return V;
    };
    std::vector<unsigned> Order; // outermost first
    for (unsigned Dim = 0; Dim < Rank; ++Dim)
      if (Dim != Lanes && Dim != Transposed)
        Order.push_back(Dim);
    if (Transposed)
      Order.push_back(*Transposed);
    if (Rank > 0)
      Order.push_back(Lanes);
    for (unsigned Dim : Order) {
      double Trip = std::max(0.0, Values.of(C.Dst.extent(Dim)));
      if (Dim == Transposed)
        Trip = std::ceil(Trip / Width);
      const double Here =
          C.Parallel && Dim == 0 ? std::min(Trip, std::max(1.0, Sizes.Cores / Cores)) : 1;
      const double Effective = Here > 1 ? perCore(Trip, Here) : Trip;
      // moved by vectors, as far as both sides allow
      Indices[Dim] =
          Enter(Trip, Effective, Dim == Lanes ? rowVectors(C.Dst, Lanes, Effective, Width) : Effective);
      LoopOf[Dim] = Innermost;
      if (Dim == Lanes) {
        Loops.back().Lanes = true;
        Loops.back().Width = unsigned(Width);
      }
    }
    if (Transposed) { // a part of a square is as much work as all of it, and needs masks
      const double Along = Values.of(C.Dst.extent(*Transposed)), Side = std::min(Width, Along);
      const double Squares = std::ceil(Along / Width);
      Indices[*Transposed] = Indices[*Transposed] * intLit(std::int64_t(Width)) +
                             Enter(Side, Side, Width * vectors(Along, Width) / Squares);
    }
    const double Rows = Rank > 0 && Vectors > 0 ? Vectors / Loops[size_t(LoopOf[Lanes])].Vectors : 0;
    CopyLoops Result{Vectors * Operation + Rows * RowCycles, std::nullopt};
    if (Vectors > 0) {
      accessView(C.Dst, Indices, true);
      const size_t First = Accesses.size();
      accessView(C.Src, Indices, false);
      if (Rank > 0 && First < Accesses.size() && !runsAlong(Accesses[First], LoopOf[Lanes]))
        for (unsigned Dim : Order)
          if (movesWith(Accesses[First], LoopOf[Dim]) && runsAlong(Accesses[First], LoopOf[Dim]))
            Result.Along = Dim;
      if (Transposed)
        Accesses[First].Transposed = true;
    }
    Innermost = Before;
    return Result;
  }

  double opaqueCycles(const OpaqueCall &C) {
    double Most = 1;
    for (const Launch::Argument &A : C.Args) {
      double Elements = 1;
      for (unsigned Dim = 0; A.isTensor() && Dim < A.Tensor.rank(); ++Dim)
        Elements *= std::max(1.0, Values.of(A.Tensor.extent(Dim)));
      Most = std::max(Most, Elements);
    }
    return OpaqueCycles * Most;
  }

  double primitiveCycles(const PrimitiveCall &C) {
    for (const PrimitiveCall::Operand &O : C.Operands)
      if (O.isTensor())
        accessView(O.Tensor, std::vector<Expr>(O.Tensor.rank(), intLit(0)), O.Written);
    return 1;
  }

  //===--- accesses -------------------------------------------------------------===//

  void accessView(const View &V, const std::vector<Expr> &Indices, bool Write) {
    Nominal::Element E = Values.through(V, Indices);
    addAccess(E.Root, E.Indices, Write);
  }

  void access(const TensorRef &T, const std::vector<Expr> &Indices, bool Write,
              StoreKind Way = StoreKind::Cached) {
    Nominal::Element E = Values.rootElement(T, Indices);
    addAccess(E.Root, E.Indices, Write, Way);
  }

  void addAccess(const TensorRef &Root, const std::vector<Expr> &Indices, bool Write,
                 StoreKind Way = StoreKind::Cached) {
    if (isRegister(Root))
      return;
    AccessAt A;
    A.Root = Root;
    A.Number = Numbers.try_emplace(Root, Numbers.size()).first->second;
    A.Loop = Innermost;
    A.Write = Write;
    A.Packed = Allocs.count(Root) != 0;
    const unsigned Contiguous = lanesOf(Root);
    for (unsigned Dim = 0; Dim < Root->Rank; ++Dim)
      A.Extents.push_back(std::max(1.0, Values.extent(Root, Dim)));
    if (auto Own = Allocs.find(Root); Own != Allocs.end() && Own->second->Layout)
      A.Order = Own->second->Layout->Modes;
    else
      A.Order = rowLayout(Root->Rank).Modes;
    double Apart = 1;
    A.Strides.assign(Root->Rank, 1);
    for (unsigned Dim = Root->Rank; Dim > 0; --Dim)
      if (Dim - 1 != Contiguous) {
        if (Apart == 1)
          Apart = Root->Rank ? A.Extents[Contiguous] : 1;
        A.Strides[Dim - 1] = Apart;
        Apart *= A.Extents[Dim - 1];
      }
    for (unsigned Dim = 0; Dim < Root->Rank && Dim < Indices.size(); ++Dim) {
      A.Moves.emplace_back();
      for (int L = Innermost; L >= 0; L = Loops[L].Parent)
        if (double By = !Loops[L].V ? 0 : Values.difference(Indices[Dim], Loops[L].V); By != 0)
          A.Moves.back()[L] = By;
    }
    A.Moves.resize(Root->Rank);
    double Bytes = byteSize(Root->Element);
    for (double Extent : A.Extents)
      Bytes *= Extent;
    std::vector<double> Row;
    for (unsigned Dim = 0; Dim < Root->Rank && Dim < Indices.size(); ++Dim)
      if (Dim != Contiguous)
        Row.push_back(Values.of(Indices[Dim]));
    Rows[{A.Number, A.Loop}].insert(std::move(Row));
    A.Streamed = Way == StoreKind::Streaming ||
                 (Way == StoreKind::BySize && Bytes >= double(streamingBytes(*P.Target)) && fillsLines(A));
    Accesses.push_back(std::move(A));
  }

  /// Rows begin where lines do, or are long (cpu::fill_lines).
  static bool fillsLines(const AccessAt &A) {
    const double Row = A.Extents.empty() ? 0 : A.Extents.back() * byteSize(A.Root->Element);
    return Row >= LongRowBytes || std::fmod(Row, LineBytes) == 0;
  }

  static bool movesWith(const AccessAt &A, int Loop) {
    return std::any_of(A.Moves.begin(), A.Moves.end(),
                       [&](const auto &M) { return M.count(Loop) != 0; });
  }

  /// How many elements apart iterations of the loop are along which neighbours lie: 1 where they are neighbours
  /// or the same; 0 where the loop walks another dimension.
  static double strideAlong(const AccessAt &A, int Loop) {
    double Stride = 1;
    for (size_t Dim = 0; Dim < A.Moves.size(); ++Dim)
      if (auto By = A.Moves[Dim].find(Loop); By != A.Moves[Dim].end()) {
        if (A.Strides[Dim] != 1)
          return 0;
        Stride = std::abs(By->second);
      }
    return Stride;
  }
  static bool runsAlong(const AccessAt &A, int Loop) { return strideAlong(A, Loop) == 1; }

  /// Instructions of one access, executed as often as it needs to be.
  double accessCycles(const AccessAt &A) const {
    double Each = A.Write ? StoreCycles : LoadCycles, Times = 1;
    if (!A.Packed && A.Beside > Streams)
      Each *= StreamFactor;
    bool Shared = true;   // all loops further in leave the element alone
    bool Unrolled = true; // all of them are, so that what is loaded stays in a register
    for (int L = A.Loop; L >= 0; L = Loops[L].Parent) {
      const bool Moves = movesWith(A, L);
      if (!Loops[L].V) {
        Times *= Loops[L].Effective;
        continue;
      }
      if (Loops[L].Lanes && Moves) {
        if (A.Transposed)
          Each += std::log2(double(Loops[L].Width));
        else if (const double Stride = strideAlong(A, L); !A.Write && isCloseBy(std::int64_t(Stride)))
          Each = Each * Stride + InsertCycles * (Stride - 1);
        else if (Stride != 1)
          Each = (Each + (A.Write ? 0 : InsertCycles)) * Loops[L].Width;
      }
      if (Moves && Loops[L].Unrolled && !A.Packed && Loops[L].Vectors > Streams && !runsAlong(A, L))
        Each *= StreamFactor;
      Unrolled &= Loops[L].Unrolled;
      // Sums along the lanes stay in registers, too.
      if (!Moves && (Unrolled || (Shared && (Loops[L].Lanes || !A.Write))))
        continue;
      Shared = false;
      Times *= Loops[L].Vectors;
    }
    return Each * Times;
  }

public:
  Estimator(const Program &P, const NominalSizes &Sizes)
      : P(P), Sizes(Sizes), Values(P.Params, Sizes.Extent, Sizes.Arguments) {
    if (const std::int64_t *Bytes = P.Target->Limits.find("simd_bytes"))
      SimdBytes = double(*Bytes);
  }

  double run() {
    double Sum = blockCycles(P.Body);
    for (AccessAt &A : Accesses)
      A.Beside = double(Rows[{A.Number, A.Loop}].size());
    for (const AccessAt &A : Accesses)
      Sum += accessCycles(A);
    return (Spills ? SpillFactor : 1) * Sum + trafficCycles(Loops, Accesses, *P.Target);
  }
};

} // namespace

double estimateCost(const Program &P, const NominalSizes &Sizes) {
  return Estimator(P, Sizes).run();
}

double estimateCost(const Program &P, const std::vector<NominalSizes> &Calls) {
  double Product = 1;
  for (const NominalSizes &Sizes : Calls)
    Product *= std::pow(estimateCost(P, Sizes), 1.0 / double(Calls.size()));
  return Product;
}

} // namespace septran::compiler
