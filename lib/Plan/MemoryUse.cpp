//===- MemoryUse.cpp - what the buffers of a Program take -----------------===//
#include "Plan/MemoryUse.h"

#include "IR/Rewrite.h"
#include "Plan/Kernels.h"
#include "Plan/ScalarValues.h"

#include <algorithm>
#include <tuple>

namespace septran::compiler {

namespace {

/// Larger than any memory, and small enough that a few of them still add up.
constexpr std::int64_t Huge = std::int64_t(1) << 56;

std::int64_t product(std::int64_t A, std::int64_t B) {
  std::int64_t Result;
  return __builtin_mul_overflow(A, B, &Result) ? Huge : std::min(Result, Huge);
}

std::int64_t ceilDivInt(std::int64_t A, std::int64_t B) { return (A + B - 1) / B; }

std::int64_t elementsOf(const BufferUse &B) {
  if (!B.Layout) {
    std::int64_t Size = 1;
    for (std::int64_t Bound : B.Bounds)
      Size = product(Size, Bound);
    return Size;
  }
  std::vector<Expr> Extents;
  for (std::int64_t Bound : B.Bounds)
    Extents.push_back(intLit(Bound));
  // A size that does not fit 64 bits is not folded to a constant.
  return std::min(constantValue(B.Layout->sizeOf(Extents)).value_or(Huge), Huge);
}

/// The dimension along the lanes of a vector fills registers; every other element of the tile starts a
/// new one.
std::int64_t registersOf(const BufferUse &B, const RegisterFile &File) {
  std::int64_t Count = 1;
  if (!B.Parts.empty()) { // divided among threads: what one of them has
    const std::int64_t Bytes = std::max<std::int64_t>(File.Bytes, 1);
    for (unsigned D = 0; D < B.Bounds.size(); ++D)
      Count = product(Count, B.Parts[D].empty() ? B.Bounds[D] : septran::compiler::registersOf(B.Parts[D]));
    return ceilDivInt(product(Count, byteSize(B.T->Element)), Bytes);
  }
  for (unsigned D = 0; D < B.Bounds.size(); ++D) {
    std::int64_t Lanes = B.Layout ? B.Layout->splitOf(D) : 0;
    if (Lanes == 0) {
      Count = product(Count, B.Bounds[D]);
      continue;
    }
    std::int64_t PerVector = ceilDivInt(Lanes * byteSize(B.T->Element), std::max<std::int64_t>(File.Bytes, 1));
    Count = product(Count, product(ceilDivInt(B.Bounds[D], Lanes), PerVector));
  }
  return Count;
}

std::int64_t alignTo(std::int64_t Amount, std::int64_t Alignment) {
  return Alignment > 1 ? ceilDivInt(Amount, Alignment) * Alignment : Amount;
}

class Collector {
  /// A memory, whether all of its owners use it together, and the threads among which a kernel
  /// divides it.
  using Space = std::tuple<const Memory *, bool, std::int64_t>;

  const Program &P;
  ScalarValues Values;
  std::int64_t GridThreads = 0; ///< of the kernel that is being visited
  size_t Level = 0;             ///< of the processors that run the statement being visited
  std::map<Space, MemoryUse> Uses;
  /// Per memory: what lives at the statement being visited.
  std::map<Space, std::vector<size_t>> Live;
  std::map<Space, std::int64_t> Sum;
  Facts Known;

  /// Something in Rest spreads over the owners of the memory, or over what they are part of. Memories
  /// that are handed out by offset are one range, whoever uses it.
  bool isShared(const Block &B, size_t At, const Memory &M) const {
    std::optional<size_t> Owner = P.Target->depthOf(M.Owner.Value);
    if (M.Declare.Value.find("{offset}") != std::string::npos || !Owner)
      return false;
    bool Shared = false;
    auto Look = [&](const Stmt &S) {
      if (const auto *F = S.getIf<For>(); F && !F->Spread.empty())
        Shared |= P.Target->depthOf(F->Spread).value_or(*Owner + 1) <= *Owner;
    };
    for (size_t I = At + 1; I < B.size() && !Shared; ++I) {
      Look(B[I]);
      for (const Block *Nested : nestedBlocks(B[I]))
        walkStmts(*Nested, Look);
    }
    return Shared;
  }

  /// A local is placed by the instance that owns it; the Alloc knows only where the logic declares it.
  static Location mappingLine(const TensorRef &T, const Location &Loc, const InstanceInfo *I) {
    if (T->Kind == TensorKind::Local && I) {
      if (I->Settings)
        if (const auto *E = I->Settings->Mems.findEntry(T->Name))
          return E->Value.Loc;
      return I->where();
    }
    return Loc.isValid() || !I ? Loc : I->where();
  }

  /// How many processors of the level being visited there are in the owner of a memory in a kernel:
  /// each has a buffer of its own.
  std::int64_t processorsInside(const Memory &M) const {
    const std::optional<size_t> Owner = P.Target->depthOf(M.Owner.Value);
    if (!GridThreads || !Owner || *Owner < *gridDepth(*P.Target) || Level <= *Owner)
      return 1;
    return std::max<std::int64_t>(1, threadsAt(*Owner, *P.Target, GridThreads) /
                                         threadsAt(Level, *P.Target, GridThreads));
  }

  void add(BufferUse B, const Memory *M, bool Shared) {
    if (!M)
      return;
    const std::int64_t Threads = M->Registers ? GridThreads : 0;
    const Space In{M, Shared, Threads};
    for (const Expr &E : B.Extents) {
      std::optional<std::int64_t> Bound = plannedBound(E, Known);
      if (!Bound)
        break;
      B.Bounds.push_back(std::max<std::int64_t>(*Bound, 0));
    }
    if (B.Bounds.size() != B.Extents.size())
      B.Bounds.clear();
    else if (M->Registers)
      B.Amount = registersOf(B, M->Registers->Value);
    else if (const std::int64_t Sharers = processorsInside(*M); Sharers > 1)
      B.Amount = product(alignTo(product(elementsOf(B), byteSize(B.T->Element)), M->Alignment.Value), Sharers);
    else
      B.Amount = product(elementsOf(B), byteSize(B.T->Element));

    MemoryUse &U = Uses[In];
    U.In = M;
    U.Shared = Shared;
    U.Threads = Threads;
    const std::int64_t *File = P.Target->Limits.find("registers_per_multiprocessor");
    if (Threads && File)
      U.FileShare = *File / Threads;
    if (Shared) {
      const Processor *Owner = P.Target->findProcessor(M->Owner.Value);
      U.Owners = Owner && Owner->Count ? std::optional(Owner->Count->Value) : std::nullopt;
    }
    if (B.Amount) {
      B.Offset = Sum[In];
      Sum[In] = std::min(Sum[In] + alignTo(*B.Amount, M->Registers ? 1 : M->Alignment.Value), Huge);
      Live[In].push_back(U.Buffers.size());
      if (Sum[In] > U.Needed) {
        U.Needed = Sum[In];
        U.Worst = Live[In];
      }
    }
    U.Buffers.push_back(std::move(B));
  }

  void visit(const Block &B, size_t At, const InstanceInfo *I) {
    const Stmt &S = B[At];
    const std::int64_t ThreadsBefore = GridThreads;
    const size_t LevelBefore = Level;
    if (!GridThreads && isKernel(S, *P.Target))
      GridThreads = gridThreads(S, *P.Target, nullptr);
    if (const auto *F = S.getIf<For>(); F && !F->Spread.empty())
      Level = std::max(Level, P.Target->depthOf(F->Spread).value_or(0));
    if (const auto *Sc = S.getIf<Scope>())
      Level = std::max(Level, size_t(Sc->Instance->Depth));
    visitStmt(B, At, I);
    GridThreads = ThreadsBefore;
    Level = LevelBefore;
  }

  void visitStmt(const Block &B, size_t At, const InstanceInfo *I) {
    const Stmt &S = B[At];
    if (const auto *A = S.getIf<Alloc>()) {
      BufferUse Use{A->T, {}, {}, A->Layout, A->Reason, mappingLine(A->T, S.Loc, I), I, {}, -1, A->Parts};
      for (const Expr &E : A->Extents)
        Use.Extents.push_back(Values.expand(E));
      const Memory *M = P.Target->findMemory(A->Memory);
      add(std::move(Use), M, M && isShared(B, At, *M));
      return;
    }
    if (const auto *Sc = S.getIf<Scope>()) {
      visit(Sc->Body, Sc->Instance.get());
      return;
    }
    const auto *F = S.getIf<For>();
    if (F)
      Known[F->V] = {Values.expand(F->Lo), Values.expand(F->Hi)};
    auto LiveBefore = Live;
    auto SumBefore = Sum;
    if (F)
      for (const SharedReduction &R : F->Reductions) {
        BufferUse Use{R.Partial, {}, {}, nullptr, "partial result of '" + R.Target->Name + "'",
                      S.Loc, I, {}, -1, {}};
        for (unsigned D = 0; D < R.Target->Rank; ++D)
          Use.Extents.push_back(Values.expand(extentOf(R.Target, D)));
        add(std::move(Use), P.Target->findMemory(R.Partial->Memory), false);
      }
    for (const Block *Nested : nestedBlocks(S))
      visit(*Nested, I);
    Live = std::move(LiveBefore);
    Sum = std::move(SumBefore);
  }

  void visit(const Block &B, const InstanceInfo *I) {
    auto LiveBefore = Live;
    auto SumBefore = Sum;
    for (size_t At = 0; At < B.size(); ++At)
      visit(B, At, I);
    Live = std::move(LiveBefore);
    Sum = std::move(SumBefore);
  }

public:
  explicit Collector(const Program &P) : P(P), Values(P.Body) {}

  std::vector<MemoryUse> run() {
    visit(P.Body, nullptr);
    std::vector<MemoryUse> Result;
    for (const Memory &M : P.Target->Memories)
      for (bool Shared : {true, false})
        for (auto &[In, Use] : Uses)
          if (std::get<0>(In) == &M && std::get<1>(In) == Shared)
            Result.push_back(std::move(Use));
    return Result;
  }
};

} // namespace

std::optional<std::int64_t> MemoryUse::each() const {
  if (In->Registers)
    return std::min(In->Registers->Value.Count, FileShare.value_or(In->Registers->Value.Count));
  if (In->Capacity)
    return In->Capacity->Value;
  return std::nullopt;
}

std::optional<std::int64_t> MemoryUse::available() const {
  std::optional<std::int64_t> Each = each();
  return Each && Owners ? std::optional(product(*Each, *Owners)) : std::nullopt;
}

std::vector<MemoryUse> memoryUse(const Program &P) { return Collector(P).run(); }

} // namespace septran::compiler
