//===- MemoryUse.cpp - what the buffers of a Program take -----------------===//
#include "Plan/MemoryUse.h"

#include "IR/Rewrite.h"
#include "Plan/ScalarValues.h"

#include <algorithm>

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
  const Program &P;
  ScalarValues Values;
  std::map<const Memory *, MemoryUse> Uses;
  /// Per memory: what lives at the statement being visited.
  std::map<const Memory *, std::vector<size_t>> Live;
  std::map<const Memory *, std::int64_t> Sum;
  Facts Known;

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

  void add(BufferUse B, const std::string &In) {
    const Memory *M = P.Target->findMemory(In);
    if (!M)
      return;
    for (const Expr &E : B.Extents) {
      std::optional<std::int64_t> Bound = plannedBound(E, Known);
      if (!Bound)
        break;
      B.Bounds.push_back(std::max<std::int64_t>(*Bound, 0));
    }
    if (B.Bounds.size() != B.Extents.size())
      B.Bounds.clear();
    else
      B.Amount = M->Registers ? registersOf(B, M->Registers->Value)
                              : product(elementsOf(B), byteSize(B.T->Element));

    MemoryUse &U = Uses[M];
    U.In = M;
    if (B.Amount) {
      B.Offset = Sum[M];
      Sum[M] = std::min(Sum[M] + alignTo(*B.Amount, M->Registers ? 1 : M->Alignment.Value), Huge);
      Live[M].push_back(U.Buffers.size());
      if (Sum[M] > U.Needed) {
        U.Needed = Sum[M];
        U.Worst = Live[M];
      }
    }
    U.Buffers.push_back(std::move(B));
  }

  void visit(const Stmt &S, const InstanceInfo *I) {
    if (const auto *A = S.getIf<Alloc>()) {
      BufferUse B{A->T, {}, {}, A->Layout, A->Reason, mappingLine(A->T, S.Loc, I), I, {}, -1};
      for (const Expr &E : A->Extents)
        B.Extents.push_back(Values.expand(E));
      add(std::move(B), A->Memory);
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
        BufferUse B{R.Partial, {}, {}, nullptr, "partial result of '" + R.Target->Name + "'",
                    S.Loc, I, {}, -1};
        for (unsigned D = 0; D < R.Target->Rank; ++D)
          B.Extents.push_back(Values.expand(extentOf(R.Target, D)));
        add(std::move(B), R.Partial->Memory);
      }
    for (const Block *Nested : nestedBlocks(S))
      visit(*Nested, I);
    Live = std::move(LiveBefore);
    Sum = std::move(SumBefore);
  }

  void visit(const Block &B, const InstanceInfo *I) {
    auto LiveBefore = Live;
    auto SumBefore = Sum;
    for (const Stmt &S : B)
      visit(S, I);
    Live = std::move(LiveBefore);
    Sum = std::move(SumBefore);
  }

public:
  explicit Collector(const Program &P) : P(P), Values(P.Body) {}

  std::vector<MemoryUse> run() {
    visit(P.Body, nullptr);
    std::vector<MemoryUse> Result;
    for (const Memory &M : P.Target->Memories)
      if (auto It = Uses.find(&M); It != Uses.end())
        Result.push_back(std::move(It->second));
    return Result;
  }
};

} // namespace

std::optional<std::int64_t> MemoryUse::available() const {
  if (In->Registers)
    return In->Registers->Value.Count;
  if (In->Capacity)
    return In->Capacity->Value;
  return std::nullopt;
}

std::vector<MemoryUse> memoryUse(const Program &P) { return Collector(P).run(); }

} // namespace septran::compiler
