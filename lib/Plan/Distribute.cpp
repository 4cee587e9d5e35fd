//===- Distribute.cpp - leaf loops over the threads of a processor --------===//
#include "Plan/Distribute.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/BindPrimitive.h"
#include "Plan/FragmentAxes.h"
#include "Plan/Kernels.h"
#include "Plan/LoopAnalysis.h"
#include "Plan/LoopNest.h"
#include "Plan/ThreadAxes.h"
#include "Support/StableSort.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <bit>

namespace septran::compiler {

std::uint64_t threadBits(const Digits &Parts) {
  std::uint64_t Bits = 0;
  for (const Digit &Part : Parts)
    if (Part.isThread())
      Bits |= std::uint64_t(Part.Size - 1) * std::uint64_t(Part.Stride);
  return Bits;
}

bool combinesThreads(const For &F, const TensorTable &Tensors) {
  return F.Exec == LoopExec::Threads && threadBits(F.Parts) != 0 &&
         analyzeLoop(F, Tensors).Class == LoopClass::Reduction;
}

namespace {

std::int64_t powerAbove(std::int64_t N) {
  return std::int64_t(std::bit_ceil(std::uint64_t(std::max<std::int64_t>(N, 1))));
}

/// Bits of a thread's number: neighbouring ones, from the lowest.
struct Share {
  std::int64_t Stride = 1, Threads = 1;
  std::uint64_t bits() const { return std::uint64_t(Threads - 1) * std::uint64_t(Stride); }
};

/// At most `Wanted` threads of those that Free still tells apart.
Share take(std::uint64_t Free, std::int64_t Wanted) {
  if (Free == 0)
    return {};
  Share S;
  S.Stride = std::int64_t(1) << std::countr_zero(Free);
  const int Run = std::countr_one(Free >> std::countr_zero(Free));
  S.Threads = std::min(powerAbove(Wanted), std::int64_t(1) << Run);
  return S;
}

constexpr std::int64_t Lanes = 32;
constexpr std::uint64_t LaneBits = Lanes - 1;
/// Elements of a column of rows that a thread holds for the sake of contiguous rows.
constexpr std::int64_t MostRows = 16;
/// More than any processor has.
constexpr std::int64_t MostThreads = 1 << 20;

class Distributor {
  const Machine &M;
  const TensorTable &Tensors;
  RegisterTiles &Tiles;
  Diagnostics &D;
  std::int64_t Threads; ///< of a processor of the grid
  ThreadAxes Axes;
  std::vector<FragmentUse> Uses; ///< by leaves bound to matrix instructions
  std::int64_t UseThreads = 0, UseProcessors = 0;
  struct Tile {
    TensorRef T;
    std::int64_t Threads; ///< of the processor that holds it
    Location Loc;
  };
  std::vector<Tile> Held; ///< in textual order

  //===--- which loops walk registers ---------------------------------------===//

  void noteStatement(const Stmt &S, const Nest &Loops, std::int64_t Group) {
    auto Note = [&](const TensorRef &T, const std::vector<Expr> &Indices) {
      const TensorRef Root = Tensors.root(T);
      for (const Tile &H : Held)
        if (H.T == Root && H.Threads != Group)
          reportOtherLevel(S.Loc, T->Name);
      Axes.note(T, Indices, Loops, S.Loc);
    };
    forEachExpr(S, [&](const Expr &E) {
      walkExprs(E, [&](const Expr &N) {
        if (N->Kind == ExprKind::Load)
          Note(N->T, N->Args);
      });
    });
    if (const auto *St = S.getIf<Store>())
      Note(St->T, St->Indices);
  }

  /// What stands in the way of a binding is bind's to report.
  void noteBinding(const Scope &Leaf) {
    const Primitive *Prim = M.findPrimitive(Leaf.Instance->Binding);
    std::optional<FragmentUse> Use = findFragmentUse(Leaf, *Prim, Tensors, Tiles, M);
    if (!Use)
      return;
    const std::int64_t Group = threadsAt(Leaf.Instance->Depth, M, Threads);
    for (const FragmentOperand &O : Use->Operands)
      for (const Tile &H : Held)
        if (H.T == O.Tile && H.Threads != Group)
          reportOtherLevel(Use->Loc, O.Tile->Name);
    UseThreads = threadsAt(*M.depthOf(Prim->Processor.Value), M, Threads);
    UseProcessors = std::max<std::int64_t>(1, Group / UseThreads);
    Uses.push_back(std::move(*Use));
  }

  void reportOtherLevel(const Location &Loc, const std::string &Name) {
    reportInKernel(Loc, "the use of '" + Name + "', which lies in registers of another level",
                   "leaves on the level that holds it", D);
  }

  void collect(Block &B, const InstanceInfo *I, Nest &Loops) {
    const std::int64_t Group = I ? threadsAt(I->Depth, M, Threads) : Threads;
    for (Stmt &S : B) {
      if (auto *A = S.getIf<Alloc>(); A && Tiles.count(A->T))
        Held.push_back({A->T, Group, S.Loc});
      const bool InLeaf = I && I->Task->Kind == FunctionKind::Leaf && I->Binding.empty();
      if (InLeaf)
        noteStatement(S, Loops, Group);
      auto *F = S.getIf<For>();
      auto *Sc = S.getIf<Scope>();
      if (Sc && !Sc->Instance->Binding.empty())
        noteBinding(*Sc);
      if (F && InLeaf)
        Loops.push_back(F);
      for (Block *Nested : nestedBlocks(S))
        collect(*Nested, Sc ? Sc->Instance.get() : I, Loops);
      if (F && InLeaf)
        Loops.pop_back();
    }
  }

  //===--- registers ---------------------------------------------------------===//

  /// How the loops along the axes walk memory.
  void noteMemory(Block &Whole) {
    std::map<ThreadAxis *, double> Own, Inside;
    walkStmts(Whole, [&](Stmt &S) {
      auto *F = S.getIf<For>();
      ThreadAxis *A = F ? Axes.of(*F) : nullptr;
      if (!A)
        return;
      for (const Access &X : accessesOf(F->Body))
        A->Strided |= readsDevice(X, F->V);
      walkStmts(F->Body, [&](Stmt &Nested) {
        auto *L = Nested.getIf<For>();
        if (!L || Axes.of(*L) || !canDivide(*L))
          return;
        Own[A] = std::max(Own[A], contiguity(*F, L->Body));
        Inside[A] = std::max(Inside[A], contiguity(*L, L->Body));
      });
    });
    for (const auto &[A, Score] : Inside)
      A->LeavesLanes = Score > 0 && Own[A] <= 0;
  }

  /// Reads a matrix in a memory without banks, neighbours along V.
  bool readsDevice(const Access &X, const VarRef &V) const {
    const Memory *From = M.findMemory(Tensors.root(X.T)->Memory);
    if (isRegister(X.T) || X.Indices.size() < 2 || (From && From->Banks) ||
        (X.Write && X.Op == UpdateOp::Set))
      return false;
    for (size_t Dim = 0; Dim < X.Indices.size(); ++Dim)
      if (coefficient(X.Indices[Dim], V).value_or(0) != 0 && isContiguous(X.T, unsigned(Dim)))
        return true;
    return false;
  }

  /// What loops inside those along the only axis of a tensor want.
  std::uint64_t lanesInside(const ThreadAxis &A, const Tile &H) const {
    if (!A.LeavesLanes || A.Reduced)
      return 0;
    std::int64_t Left = std::min(Lanes, H.Threads);
    while (Left > 1 && A.Bound > MostRows * (H.Threads / Left))
      Left /= 2;
    return std::uint64_t(Left - 1);
  }

  /// Each thread takes up to Most neighbours at once.
  static Digits digitsFor(Share S, std::int64_t Bound, std::int64_t Most) {
    Digits Parts;
    std::int64_t Each = (Bound + S.Threads - 1) / S.Threads, Neighbours = 1;
    while (S.Threads > 1 && Neighbours < Most && Each % (2 * Neighbours) == 0)
      Neighbours *= 2;
    if (Neighbours > 1)
      Parts.push_back({Neighbours, 0});
    Each /= Neighbours;
    if (S.Threads > 1)
      Parts.push_back({S.Threads, S.Stride});
    if (Each > 1 || Parts.empty())
      Parts.push_back({Each, 0});
    return Parts;
  }

  void assign(ThreadAxis &A, Share S, ScalarType Element) {
    A.Assigned = true;
    A.Parts = digitsFor(S, A.Bound, A.Strided ? 1 : std::min<std::int64_t>(4, 16 / byteSize(Element)));
  }

  std::int64_t volume(const Tile &H) const {
    std::int64_t Size = 1;
    for (std::int64_t Bound : Tiles.at(H.T).Bounds)
      Size *= std::max<std::int64_t>(Bound, 1);
    return Size;
  }

  void divideTile(const Tile &H) {
    const std::vector<std::int64_t> &Bounds = Tiles.at(H.T).Bounds;
    std::uint64_t Free = std::uint64_t(H.Threads - 1);
    std::vector<unsigned> Open;
    for (unsigned Dim = 0; Dim < Bounds.size(); ++Dim) {
      ThreadAxis &A = Axes.of(H.T, Dim);
      if (A.Assigned)
        Free &= ~threadBits(A.Parts);
      else if (!A.Whole)
        Open.push_back(Dim);
    }
    if (Open.size() == 1)
      Free &= ~lanesInside(Axes.of(H.T, Open.front()), H);
    for (size_t Left = Open.size(); Left > 0; --Left) {
      ThreadAxis &A = Axes.of(H.T, Open[Left - 1]);
      if (A.Assigned)
        continue; // two dimensions of one axis
      std::int64_t Wanted = powerAbove(A.Bound);
      const Share Rest = take(Free, H.Threads);
      if (Left > 1) {
        // About as many rows as columns for one thread.
        const std::int64_t Rows = Axes.of(H.T, Open[Left - 2]).Bound;
        std::int64_t Columns = 1;
        while (Columns * Columns * Rows < A.Bound * Rest.Threads)
          Columns *= 2;
        Wanted = std::min(Wanted, Columns);
      }
      if (A.Reduced && !(Left == 1 && Rest.Threads == H.Threads && Rest.Threads > Lanes))
        Wanted = Rest.Stride == 1 ? std::min(Wanted, Lanes) : 1;
      const Share S = take(Free, Wanted);
      assign(A, S, H.T->Element);
      Free &= ~S.bits();
    }
  }

  void divideTiles() {
    std::vector<Tile> BySize = Held;
    stableSort(BySize, [this](const Tile &A, const Tile &B) { return volume(A) > volume(B); });
    for (const Tile &H : BySize)
      divideTile(H);
  }

  //===--- memory -------------------------------------------------------------===//

  std::int64_t boundOf(const For &F) const {
    return upperBound(expandExtents(F.Hi - F.Lo, Tensors)).value_or(std::int64_t(1) << 40);
  }

  bool isRegister(const TensorRef &T) const { return Tiles.count(Tensors.root(T)) != 0; }

  /// How well neighbouring threads would find neighbouring elements.
  double contiguity(const For &F, const Block &Body) const {
    double Score = 0;
    for (const Access &A : accessesOf(Body)) {
      if (isRegister(A.T))
        continue;
      for (size_t Dim = 0; Dim < A.Indices.size(); ++Dim) {
        std::optional<std::int64_t> C = coefficient(A.Indices[Dim], F.V);
        if (C && *C == 0)
          continue;
        Score += C && *C == 1 && isContiguous(A.T, unsigned(Dim)) ? (A.Write ? 3 : 2) : -1;
      }
    }
    return Score;
  }

  /// The dimension is the last one of the tensor that views lead to.
  bool isContiguous(TensorRef T, unsigned Dim) const {
    for (const View *V = Tensors.definition(T); V; V = Tensors.definition(T)) {
      if (!V->Dims.empty()) {
        if (V->Dims[Dim] < 0)
          return false;
        Dim = unsigned(V->Dims[Dim]);
      }
      T = V->Base;
    }
    return Dim + 1 == T->Rank;
  }

  /// Bits that loops along registers take in this block.
  std::uint64_t bitsInside(Block &B) {
    std::uint64_t Bits = 0;
    walkStmts(B, [&](Stmt &S) {
      if (auto *F = S.getIf<For>())
        if (ThreadAxis *A = Axes.of(*F))
          Bits |= threadBits(A->Parts);
    });
    return Bits;
  }

  void give(For &F, Share S) {
    F.Exec = LoopExec::Threads;
    F.Parts = {};
    if (S.Threads > 1)
      F.Parts.push_back({S.Threads, S.Stride});
    const std::int64_t Bound = boundOf(F);
    const std::int64_t Trips = Bound >> 32 ? 0 : (Bound + F.Step - 1) / F.Step;
    const std::int64_t Each = (Trips + S.Threads - 1) / S.Threads;
    if (Trips == 0 || Each > 16)
      F.Parts.push_back({0, 0}); // a loop, not a row of registers
    else if (Each > 1 || F.Parts.empty())
      F.Parts.push_back({Each, 0});
  }

  /// What is true of the code that a block stands in.
  struct Context {
    std::uint64_t Free;  ///< bits that no loop around takes
    std::uint64_t All;   ///< bits of the processor
    bool Uniform = true; ///< all threads come here, and as often
  };

  bool dependsOnThread(const Expr &E, const std::set<VarRef> &Divided) const {
    bool Depends = false;
    walkExprs(E, [&](const Expr &N) {
      Depends |= N->Kind == ExprKind::Load || (N->Kind == ExprKind::Var && Divided.count(N->V));
    });
    return Depends;
  }

  void distribute(Block &B, Context C, std::set<VarRef> Divided) {
    for (Stmt &S : B) {
      if (auto *I = S.getIf<If>()) {
        Context Inner = C;
        Inner.Uniform &= !dependsOnThread(I->Condition, Divided);
        distribute(I->Then, Inner, Divided);
        distribute(I->Else, Inner, Divided);
      } else if (auto *F = S.getIf<For>()) {
        distributeNest(*F, C, Divided, S.Loc);
      }
    }
  }

  /// Loops of the nest that walk registers are divided already.
  void distributeNest(For &F, Context C, std::set<VarRef> Divided, const Location &Loc) {
    Nest N = perfectNest(F);
    std::uint64_t Taken = 0;
    for (For *L : N) {
      ThreadAxis *A = Axes.of(*L);
      if (!A || !A->Assigned)
        continue;
      L->Exec = LoopExec::Threads;
      L->Parts = A->Parts;
      const std::uint64_t Bits = threadBits(L->Parts);
      if ((Bits & Taken) || (Bits & ~C.Free)) {
        reportInKernel(Loc, "the use of one register tensor along two loops",
                       "one of the tensors in another memory", D);
        return;
      }
      Taken |= Bits;
      Divided.insert(L->V);
    }
    C.Free &= ~Taken;
    Block &Body = N.back()->Body;
    const bool Inner = holdsLoops(Body);
    std::uint64_t Usable = C.Free & ~(Inner ? bitsInside(Body) : 0);
    auto Depends = [&](const For &L) {
      return dependsOnThread(L.Lo, Divided) || dependsOnThread(L.Hi, Divided);
    };
    auto Give = [&](For &L, Share S) {
      give(L, S);
      C.Free &= ~S.bits();
      Usable &= ~S.bits();
      Divided.insert(L.V);
    };
    std::vector<For *> Parallel;
    for (For *L : N)
      if (!Axes.of(*L) && analyzeLoop(*L, Tensors).Class == LoopClass::Parallel && boundOf(*L) > 1)
        Parallel.push_back(L);
    if (Inner && keepsBusy(Parallel, Usable, Body) && llvm::none_of(Parallel, [&](const For *L) {
          return Depends(*L);
        })) {
      stableSort(Parallel, [&](const For *A, const For *B) {
        return contiguityInside(*A, Body) > contiguityInside(*B, Body);
      });
      for (For *L : Parallel)
        if (Usable)
          Give(*L, take(Usable, boundOf(*L)));
      distribute(Body, C, Divided);
      return;
    }
    if (Inner) {
      // Rows for some threads, the loops inside for their neighbours.
      std::int64_t Columns = 1;
      const std::int64_t Total = std::int64_t(Usable) + 1;
      const bool Neighbours = Usable == C.All || (Taken && (Usable & (Usable + 1)) == 0);
      if (C.Uniform && Neighbours && canDivideInside(Body))
        Columns = Parallel.empty() ? Total : std::min(Lanes, Total);
      if (!Parallel.empty() && Columns > 1 && boundOf(*Parallel.front()) == 1)
        Columns = Total;
      const std::uint64_t Rows = Usable & ~std::uint64_t(Columns - 1);
      if (!Parallel.empty() && Rows && !Depends(*Parallel.front()))
        Give(*Parallel.front(), take(Rows, boundOf(*Parallel.front())));
      for (For *L : N)
        C.Uniform &= !Depends(*L);
      Context Inside = C;
      if (Columns == 1 && Usable == C.Free)
        Inside.Free = 0;
      distribute(Body, Inside, Divided);
      return;
    }
    // The contiguous loop first, then the others from outside.
    stableSort(Parallel, [&](const For *A, const For *B) {
      return contiguity(*A, Body) > contiguity(*B, Body);
    });
    for (For *L : Parallel)
      if (Usable)
        Give(*L, take(Usable, boundOf(*L)));
    // What is left may share a reduction: lanes of one warp, or all threads.
    if (!C.Uniform || Usable == 0)
      return;
    for (For *L : N) {
      if (L->Exec == LoopExec::Threads || boundOf(*L) < 4 || Depends(*L) || Axes.of(*L))
        continue;
      if (analyzeLoop(*L, Tensors).Class != LoopClass::Reduction || !isCombinable(*L) ||
          L != N.back())
        continue;
      const bool AllOfThem = Usable == C.All;
      if (AllOfThem)
        Give(*L, take(Usable, std::int64_t(C.All) + 1));
      else if (Usable & 1)
        Give(*L, take(Usable & LaneBits, std::min(boundOf(*L), Lanes)));
      return;
    }
  }

  /// Some loop in the block can be divided among threads that share an iteration of the loops
  /// around.
  bool canDivideInside(Block &B) const {
    bool Found = false;
    walkStmts(B, [&](Stmt &S) {
      const auto *F = S.getIf<For>();
      Found |= F && canDivide(*F);
    });
    return Found;
  }

  bool canDivide(const For &F) const {
    if (boundOf(F) < 4)
      return false;
    const LoopClass Class = analyzeLoop(F, Tensors).Class;
    return Class == LoopClass::Parallel ||
           (Class == LoopClass::Reduction && isCombinable(F) && !holdsLoops(F.Body));
  }

  /// The loops around Body have an iteration for each of the threads, and one of them finds
  /// neighbouring elements in the loops inside.
  bool keepsBusy(const Nest &Parallel, std::uint64_t Usable, const Block &Body) const {
    std::int64_t Iterations = 1;
    double Best = 0;
    for (const For *L : Parallel) {
      Iterations *= std::min(boundOf(*L), MostThreads);
      Iterations = std::min(Iterations, MostThreads);
      Best = std::max(Best, contiguityInside(*L, Body));
    }
    return Usable && Best > 0 && Iterations >= std::int64_t(1) << std::popcount(Usable);
  }

  /// The same for what is done most often: the accesses of the loops in Body.
  double contiguityInside(const For &F, const Block &Body) const {
    double Score = 0;
    for (const Stmt &S : Body)
      if (const auto *L = S.getIf<For>())
        Score += contiguity(F, L->Body);
    return Score;
  }

  //===--- order of loops -------------------------------------------------------===//

  /// Loops over registers go inside all others: what they share is then loaded once.
  void registersInnermost(Block &B) {
    for (Stmt &S : B) {
      auto *F = S.getIf<For>();
      if (!F) {
        for (Block *Nested : nestedBlocks(S))
          registersInnermost(*Nested);
        continue;
      }
      Nest N = perfectNest(*F);
      bool Touches = false;
      for (const Access &A : accessesOf(N.back()->Body))
        Touches |= A.Write && isRegister(A.T);
      if (Touches && freelyPermutable(N, Tensors))
        for (size_t Sorted = 0; Sorted < N.size(); ++Sorted)
          for (size_t I = N.size() - 1; I > Sorted; --I)
            if (N[I]->Exec != LoopExec::Threads && N[I - 1]->Exec == LoopExec::Threads)
              swapHeaders(*N[I], *N[I - 1]);
      registersInnermost(N.back()->Body);
    }
  }

  /// Where the tensor is an operand, its registers are those of the fragment.
  void countFragment(Alloc &A, const Location &Loc) {
    const std::vector<Digits> Plain = A.Parts;
    const FragmentUse *First = nullptr;
    for (const FragmentUse &U : Uses)
      for (const FragmentOperand &O : U.Operands) {
        if (O.Tile != A.T)
          continue;
        std::vector<Digits> Counted = Plain;
        for (unsigned I = 0; I < O.Dims.size(); ++I)
          Counted[O.Dims[I]] = countRegisters(O.F[I], Plain[O.Dims[I]]);
        if (First && Counted != A.Parts)
          D.report(DiagID::FragmentRegisters, Loc, A.T->Name, First->Prim->Name.Value,
                   U.Prim->Name.Value);
        A.Parts = std::move(Counted);
        First = &U;
      }
  }

public:
  Distributor(const Machine &M, const TensorTable &Tensors, RegisterTiles &Tiles,
              std::int64_t Threads, Diagnostics &D)
      : M(M), Tensors(Tensors), Tiles(Tiles), D(D), Threads(Threads), Axes(Tensors, Tiles, D) {}

  void run(Stmt &Kernel) {
    Nest Loops;
    Block Whole{std::move(Kernel)};
    collect(Whole, nullptr, Loops);
    divideFragments(Uses, UseThreads, UseProcessors, Axes, Tiles, D);
    noteMemory(Whole);
    divideTiles();
    walkStmts(Whole, [&](Stmt &S) {
      if (auto *A = S.getIf<Alloc>(); A && Tiles.count(A->T)) {
        for (unsigned Dim = 0; Dim < A->Extents.size(); ++Dim)
          A->Parts.push_back(Axes.of(A->T, Dim).Parts);
        countFragment(*A, S.Loc);
        Tiles[A->T].Parts = A->Parts;
        Tiles[A->T].Guarded = !Uses.empty();
      }
      auto *Sc = S.getIf<Scope>();
      if (!Sc || Sc->Instance->Task->Kind != FunctionKind::Leaf || !Sc->Instance->Binding.empty())
        return;
      const std::uint64_t All = std::uint64_t(threadsAt(Sc->Instance->Depth, M, Threads) - 1);
      distribute(Sc->Body, {All, All}, {});
      registersInnermost(Sc->Body);
    });
    Kernel = std::move(Whole.front());
  }
};

} // namespace

void distribute(Program &P, const TensorTable &Tensors, RegisterTiles &Tiles, Diagnostics &D) {
  forEachKernel(P.Body, *P.Target, [&](Stmt &Kernel) {
    if (std::int64_t Threads = gridThreads(Kernel, *P.Target, &D))
      Distributor(*P.Target, Tensors, Tiles, Threads, D).run(Kernel);
  });
}

} // namespace septran::compiler
