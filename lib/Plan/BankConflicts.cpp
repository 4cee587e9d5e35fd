//===- BankConflicts.cpp - how fragments are loaded -----------------------===//
#include "Plan/BankConflicts.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/TensorTable.h"

#include <algorithm>
#include <numeric>

namespace septran::compiler {

std::int64_t conflictsOf(const std::vector<std::int64_t> &Places, std::int64_t Elements,
                         std::int64_t ElementBytes, const BankLayout &Banks) {
  const std::int64_t AtOnce = Banks.Count * Banks.Bytes;
  const std::int64_t Each = std::max<std::int64_t>(
      1, AtOnce / std::max(Elements * ElementBytes, Banks.Bytes));
  std::int64_t Conflicts = 0;
  for (size_t First = 0; First < Places.size(); First += size_t(Each)) {
    std::set<std::int64_t> Words;
    for (size_t I = First; I < std::min(Places.size(), First + size_t(Each)); ++I) {
      const std::int64_t Begin = Places[I] * ElementBytes,
                         End = Begin + Elements * ElementBytes;
      for (std::int64_t Byte = Begin; Byte < End; Byte += ElementBytes)
        Words.insert(Byte / Banks.Bytes);
    }
    std::map<std::int64_t, std::int64_t> OfBank;
    std::int64_t Most = 0;
    for (std::int64_t Word : Words)
      Most = std::max(Most, ++OfBank[Word % Banks.Count]);
    Conflicts += std::max<std::int64_t>(0, Most - 1);
  }
  return Conflicts;
}

namespace {

constexpr std::int64_t WarpThreads = 32;

/// Where a thread's element lies along a dimension.
std::int64_t indexOf(const Digits &D, std::int64_t Thread) {
  std::int64_t Index = 0, Weight = 1;
  for (const Digit &Part : D) {
    if (Part.isThread())
      Index += Thread / Part.Stride % Part.Size * Weight;
    Weight *= Part.Size;
  }
  return Index;
}

class LoadFinder {
  const Program &P;
  TensorTable Tensors;
  std::map<TensorRef, const Alloc *> Allocs;

  /// Per dimension of the view: that of the buffer at the end of the chain.
  std::optional<std::vector<unsigned>> dimensions(const View &V) const {
    View Full = explicitView(V);
    std::vector<unsigned> Dims;
    for (int Dim : Full.Dims) {
      if (Dim < 0)
        return std::nullopt;
      Dims.push_back(unsigned(Dim));
    }
    for (const View *Next = Tensors.definition(Full.Base); Next;
         Next = Tensors.definition(Next->Base)) {
      const View Outer = explicitView(*Next);
      for (unsigned &Dim : Dims) {
        if (!Outer.Reshape.empty() || Outer.Dims[Dim] < 0)
          return std::nullopt;
        Dim = unsigned(Outer.Dims[Dim]);
      }
    }
    return Dims;
  }

  static std::int64_t strideOf(const Alloc &A, unsigned Dim) {
    std::vector<Expr> Most;
    for (std::int64_t Bound : A.Bounds)
      Most.push_back(intLit(Bound));
    return A.Layout->splitOf(Dim) ? 0 : constantValue(A.Layout->strideOf(Dim, Most)).value_or(0);
  }

  static std::int64_t place(const Alloc &A, std::int64_t Offset) {
    if (!A.Layout->Swizzle)
      return Offset;
    const std::int64_t Line = A.Bounds[A.Layout->Modes.back().Dim];
    const auto S = swizzleSteps(A.Layout->Swizzle, Line, byteSize(A.T->Element));
    return S ? Offset ^ (Offset / Line / S->Lines % S->Count * S->Chunk) : Offset;
  }

  std::int64_t conflicts(const Alloc &From, const std::vector<unsigned> &Dims,
                         const std::vector<Digits> &Names, std::int64_t Elements,
                         const BankLayout &Banks) const {
    std::vector<std::int64_t> Places;
    for (std::int64_t Thread = 0; Thread < WarpThreads; ++Thread) {
      std::int64_t Offset = 0;
      for (size_t Dim = 0; Dim < Dims.size(); ++Dim)
        Offset += indexOf(Names[Dim], Thread) * strideOf(From, Dims[Dim]);
      Places.push_back(place(From, Offset));
    }
    return conflictsOf(Places, Elements, byteSize(From.T->Element), Banks);
  }

public:
  explicit LoadFinder(const Program &P) : P(P), Tensors(P.Body) {
    walkStmts(P.Body, [&](const Stmt &S) {
      if (const auto *A = S.getIf<Alloc>())
        Allocs[A->T] = A;
    });
  }

  std::optional<FragmentLoad> find(const CopyStmt &C, const Location &Loc) const {
    auto To = Allocs.find(C.Dst.Base), From = Allocs.find(Tensors.root(C.Src.Base));
    if (To == Allocs.end() || From == Allocs.end() || fragmentSize(To->second->Parts) < 2)
      return std::nullopt;
    const Alloc &Buffer = *From->second;
    const Memory *M = P.Target->findMemory(Buffer.Memory);
    const auto Dims = dimensions(C.Src);
    if (!M || !M->Banks || !Dims || !Buffer.Layout || Buffer.Bounds.size() != Buffer.T->Rank)
      return std::nullopt;
    FragmentLoad Result{&C, &Buffer, "", 0, Loc};
    for (const MatrixLoad &L :
         matrixLoads(*P.Target, Buffer.Memory, To->second->Memory, byteSize(Buffer.T->Element),
                     To->second->Parts))
      if (strideOf(Buffer, (*Dims)[L.Contiguous]) == 1) {
        Result.By = L.Prim->Name.Value;
        Result.Conflicts = conflicts(Buffer, *Dims, L.Names, L.Neighbours, M->Banks->Value);
        return Result;
      }
    Result.Conflicts = conflicts(Buffer, *Dims, To->second->Parts, 1, M->Banks->Value);
    return Result;
  }
};

} // namespace

std::vector<FragmentLoad> fragmentLoads(const Program &P) {
  const LoadFinder Finder(P);
  std::vector<FragmentLoad> Result;
  walkStmts(P.Body, [&](const Stmt &S) {
    if (const auto *C = S.getIf<CopyStmt>())
      if (std::optional<FragmentLoad> L = Finder.find(*C, S.Loc))
        Result.push_back(*L);
  });
  return Result;
}

} // namespace septran::compiler
