//===- RegisterTiles.cpp - tensors that live in vector registers ----------===//
#include "Plan/RegisterTiles.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"

namespace septran::compiler {

Expr expandExtents(const Expr &E, const TensorTable &Tensors) {
  return rewriteExpr(E, [&](const Expr &N) -> Expr {
    if (N->Kind != ExprKind::Extent)
      return nullptr;
    if (const View *V = Tensors.definition(N->T))
      return expandExtents(V->extent(N->Dim), Tensors);
    if (const std::vector<Expr> *Sizes = Tensors.allocated(N->T))
      return expandExtents((*Sizes)[N->Dim], Tensors);
    return nullptr;
  });
}

/// Constant bounds of its extents, up to the first that has none.
static std::vector<std::int64_t> boundsOf(const Alloc &A, const TensorTable &Tensors) {
  std::vector<std::int64_t> Bounds;
  for (const Expr &Extent : A.Extents) {
    const std::optional<std::int64_t> Bound = upperBound(expandExtents(Extent, Tensors));
    if (!Bound)
      break;
    Bounds.push_back(*Bound);
  }
  return Bounds;
}

static const RegisterFile *registersFor(const Alloc &A, const Machine &Target) {
  const Memory *M = Target.findMemory(A.Memory);
  return M && M->Registers ? &M->Registers->Value : nullptr;
}

bool exceedsRegisters(const Program &P) {
  const TensorTable Tensors(P.Body);
  bool Exceeds = false;
  walkStmts(P.Body, [&](const Stmt &S) {
    const auto *A = S.getIf<Alloc>();
    const RegisterFile *File = A ? registersFor(*A, *P.Target) : nullptr;
    if (!File)
      return;
    const std::vector<std::int64_t> Bounds = boundsOf(*A, Tensors);
    double Bytes = byteSize(A->T->Element);
    for (std::int64_t Bound : Bounds)
      Bytes *= double(Bound);
    Exceeds |= Bounds.size() == A->Extents.size() && Bytes > double(File->Count) * double(File->Bytes);
  });
  return Exceeds;
}

RegisterTiles findRegisterTiles(Program &P, Diagnostics &D) {
  TensorTable Tensors(P.Body);
  RegisterTiles Tiles;
  walkStmts(P.Body, [&](Stmt &S) {
    auto *A = S.getIf<Alloc>();
    if (!A)
      return;
    const bool IsRegister = registersFor(*A, *P.Target);
    const std::vector<std::int64_t> Bounds = boundsOf(*A, Tensors);
    if (Bounds.size() == A->Extents.size()) {
      A->Bounds = Bounds;
      if (IsRegister)
        Tiles[A->T].Bounds = Bounds;
    } else if (IsRegister) {
      D.report(DiagID::RegisterExtent, S.Loc, A->T->Name, A->Memory, unsigned(Bounds.size()),
               toString(A->Extents[Bounds.size()]));
    }
  });
  return Tiles;
}

namespace {

/// A run-time extent of a register tile and the constant that it has for a full tile.
struct Clip {
  Expr Extent;
  std::int64_t Full;
};

void addClips(const Alloc &A, std::vector<Clip> &Clips) {
  for (size_t Dim = 0; Dim < A.Extents.size(); ++Dim) {
    if (constantValue(A.Extents[Dim]))
      continue;
    bool Known = false;
    for (const Clip &C : Clips)
      Known |= equal(C.Extent, A.Extents[Dim]);
    if (!Known)
      Clips.push_back({A.Extents[Dim], A.Bounds[Dim]});
  }
}

/// The extents become constants.
void setExtents(Block &B, const std::vector<Clip> &Clips) {
  rewriteExprs(B, [&](const Expr &N) -> Expr {
    for (const Clip &C : Clips)
      if (equal(N, C.Extent))
        return intLit(C.Full, N->Type);
    return nullptr;
  });
}

/// A copy in which they are.
Block fullTile(const Block &B, const std::vector<Clip> &Clips, RegisterTiles &Tiles) {
  Substitution Fresh;
  Block Copy = freshCopy(B, Fresh);
  for (const auto &[Old, New] : Fresh.Tensors)
    if (auto Tile = Tiles.find(Old); Tile != Tiles.end())
      Tiles[New] = RegisterTile(Tile->second);
  setExtents(Copy, Clips);
  return Copy;
}

} // namespace

void versionTails(Block &B, const TensorTable &Tensors, RegisterTiles &Tiles) {
  std::vector<Clip> Clips;
  size_t First = B.size();
  for (size_t I = 0; I < B.size(); ++I) {
    if (const auto *A = B[I].getIf<Alloc>(); A && Tiles.count(A->T) && !Tiles.at(A->T).Guarded) {
      First = std::min(First, I);
      addClips(*A, Clips);
    }
    for (Block *Nested : nestedBlocks(B[I]))
      versionTails(*Nested, Tensors, Tiles);
  }
  if (Clips.empty())
    return;
  // Allocs may name scalars and aliases defined between them: the condition stands before the
  // first.
  Expr IsFull;
  std::vector<Clip> Unclipped; ///< those of blocks that nothing clips
  for (const Clip &C : Clips) {
    if (constantValue(simplify(expandExtents(C.Extent, Tensors))) == C.Full) {
      Unclipped.push_back(C);
      continue;
    }
    Expr One = binary(BinaryOp::Eq, C.Extent, intLit(C.Full));
    IsFull = IsFull ? binary(BinaryOp::And, IsFull, One) : One;
  }
  Block Rest(B.begin() + First, B.end());
  DefinedSymbols Inside = definedIn(Rest);
  for (const Clip &C : Clips)
    if (mentionsAny(C.Extent, Inside))
      return; // the condition could not stand before the tiles: the guarded version serves all
  Location Loc = Rest.front().Loc;
  B.erase(B.begin() + First, B.end());
  Block Full = fullTile(Rest, Clips, Tiles);
  if (!IsFull) {
    std::move(Full.begin(), Full.end(), std::back_inserter(B));
    return;
  }
  setExtents(Rest, Unclipped);
  If Versions{IsFull, std::move(Full), std::move(Rest)};
  Versions.ChoosesWhole = true;
  B.push_back({std::move(Versions), Loc});
}

} // namespace septran::compiler
