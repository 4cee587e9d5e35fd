//===- FixBufferSizes.cpp - buffers of constant size ----------------------===//
//
// Addresses on a chip are the compiler's business, so buffers there have constant extents where
// these have bounds, and along the innermost mode as many elements as fill whole granules, so that
// every row starts at one.
//
//===----------------------------------------------------------------------===//
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/ReshapedBuffers.h"
#include "Plan/ScalarValues.h"
#include "Plan/Scratchpads.h"

#include <algorithm>

namespace septran::compiler {

namespace {

class Fixer {
  const Machine &Target;
  const std::set<TensorRef> Reshaped; // have no gaps
  ScalarValues Values;
  Facts Known;

  /// The extent, rounded up where rows lie along it.
  Expr rounded(const Expr &Extent, const Alloc &A, unsigned Dim, const Memory &M) const {
    const std::int64_t Size = byteSize(A.T->Element);
    const std::int64_t PerGranule = M.Granule.Value / std::max<std::int64_t>(Size, 1);
    const bool Innermost =
        A.Layout && !A.Layout->Modes.empty() && A.Layout->Modes.back() == LayoutMode{Dim};
    if (!Innermost || PerGranule <= 1)
      return Extent;
    return simplify(ceilDiv(Extent, intLit(PerGranule)) * intLit(PerGranule));
  }

  std::vector<Expr> fixedExtents(const Alloc &A, const Memory &M) const {
    std::vector<Expr> Result;
    for (unsigned Dim = 0; Dim < A.Extents.size(); ++Dim) {
      std::optional<std::int64_t> Bound = plannedBound(Values.expand(A.Extents[Dim]), Known);
      Result.push_back(
          rounded(Bound ? intLit(std::max<std::int64_t>(*Bound, 1)) : A.Extents[Dim], A, Dim, M));
    }
    return Result;
  }

  /// Storage of a fixed size for the buffer, which becomes the part of it that is used.
  void fix(Stmt &S, Block &Out) {
    auto &A = *S.getIf<Alloc>();
    const Memory *M = Target.findMemory(A.Memory);
    if (!M || M->Address.Value.empty() || M->Declare.Value.find("{offset}") == std::string::npos ||
        Reshaped.count(A.T)) {
      Out.push_back(std::move(S));
      return;
    }
    std::vector<Expr> Fixed = fixedExtents(A, *M);
    if (std::equal(Fixed.begin(), Fixed.end(), A.Extents.begin(),
                   [](const Expr &X, const Expr &Y) { return equal(X, Y); })) {
      Out.push_back(std::move(S));
      return;
    }
    TensorRef T = A.T;
    TensorRef Storage = makeTensor(T->Name, T->Element, T->Rank, T->Kind, T->Loc);
    Storage->Memory = T->Memory;
    T->Kind = TensorKind::Alias;
    View Used = explicitView(wholeView(Storage));
    for (unsigned Dim = 0; Dim < T->Rank; ++Dim)
      Used.Slices[Dim].Extent = A.Extents[Dim];
    A.T = Storage;
    A.Extents = std::move(Fixed);
    const Location Loc = S.Loc;
    Out.push_back(std::move(S));
    Out.push_back({Define{T, std::move(Used)}, Loc});
  }

public:
  explicit Fixer(const Program &P)
      : Target(*P.Target), Reshaped(reshapedRoots(P.Body, TensorTable(P.Body))), Values(P.Body) {}

  void run(Block &B) {
    Block Out;
    for (Stmt &S : B) {
      if (const auto *F = S.getIf<For>())
        Known[F->V] = {Values.expand(F->Lo), Values.expand(F->Hi)};
      for (Block *Nested : nestedBlocks(S))
        run(*Nested);
      if (S.getIf<Alloc>())
        fix(S, Out);
      else
        Out.push_back(std::move(S));
    }
    B = std::move(Out);
  }
};

} // namespace

void fixBufferSizes(Program &P) {
  if (P.Target->hasScratchpads())
    Fixer(P).run(P.Body);
}

} // namespace septran::compiler
