//===- FragmentTiles.cpp - calls of matrix instructions -------------------===//
#include "Plan/FragmentTiles.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/LoopNest.h"
#include "Plan/OperandLayout.h"
#include "Plan/PrimitiveTiles.h"

#include <algorithm>

namespace septran::compiler {

namespace {

class FragmentWriter {
  const BoundLeaf &B;
  const FragmentUse &Use;
  const RegisterTiles &Tiles;
  std::string &Problem;

  /// A loop around the call.
  struct Around {
    unsigned Leaf;  ///< which loop of the leaf
    VarRef V;       ///< null: at most one iteration
    Digits Parts;   ///< how it is divided; empty: not at all
    Expr Hi;
    bool Threads = false;
    bool Reduces = false;
  };
  std::vector<Around> Loops;

public:
  FragmentWriter(const BoundLeaf &B, const FragmentUse &Use, const RegisterTiles &Tiles,
                 std::string &Problem)
      : B(B), Use(Use), Tiles(Tiles), Problem(Problem) {}

  std::optional<Block> run() {
    if (!tileLoops() || !otherLoops())
      return std::nullopt;
    Block Result = B.Form.Prologue;
    for (unsigned I = 0; I < B.Match.FirstStmt; ++I) {
      std::optional<Stmt> Own = ownLoops(B.Form.Stmts[I]);
      if (!Own)
        return std::nullopt;
      Result.push_back(std::move(*Own));
    }
    Block Body = {{call(), Use.Loc}};
    for (bool Reduces : {false, true})
      for (auto A = Loops.rbegin(); A != Loops.rend(); ++A)
        if (A->V && A->Reduces == Reduces)
          Body = {{loop(*A, std::move(Body)), B.Form.Loops[A->Leaf].Loc}};
    Result.insert(Result.end(), Body.begin(), Body.end());
    return Result;
  }

private:
  bool fail(std::string Why) {
    Problem = std::move(Why);
    return false;
  }

  static For loop(const Around &A, Block Body) {
    For F = countedLoop(A.V, A.Hi, std::move(Body));
    if (A.Threads) {
      F.Exec = LoopExec::Threads;
      F.Parts = A.Parts;
    }
    return F;
  }

  /// A dimension's digits beyond the tile of a loop.
  std::optional<Digits> beyond(const FragmentOperand &O, unsigned I) const {
    auto Cut = splitAt(withoutRegisters(Tiles.at(O.Tile).Parts[O.Dims[I]]), Use.Sizes[O.Loops[I]]);
    return Cut ? std::optional(Cut->second) : std::nullopt;
  }

  /// One loop per loop of the primitive, over its tiles.
  bool tileLoops() {
    for (unsigned P = 0; P < Use.Sizes.size(); ++P) {
      const FormLoop &L = B.Form.Loops[B.Match.LoopOf[P]];
      Around A{B.Match.LoopOf[P], nullptr, {}, nullptr, true, Use.Reduces[P]};
      bool First = true;
      std::int64_t Bound = 0;
      for (const FragmentOperand &O : Use.Operands)
        for (unsigned I = 0; I < O.Dims.size(); ++I) {
          if (O.Loops[I] != P)
            continue;
          std::optional<Digits> Parts = beyond(O, I);
          if (!Parts || (!First && *Parts != A.Parts))
            return fail("tiles of '" + O.Tile->Name + "' along loop '" + L.V->Name +
                        "' do not lie in the same threads as those of the other operands");
          A.Parts = std::move(*Parts);
          Bound = Tiles.at(O.Tile).Bounds[O.Dims[I]];
          First = false;
        }
      if (!clips(P, L, Bound))
        return false;
      if (Bound > Use.Sizes[P]) {
        A.V = makeTileVar(*L.V);
        A.Hi = intLit(Bound / Use.Sizes[P]);
      }
      Loops.push_back(std::move(A));
    }
    return true;
  }

  /// Whatever the loop's extent is, all tiles up to Bound may be computed.
  bool clips(unsigned P, const FormLoop &L, std::int64_t Bound) {
    const Expr Extent = simplify(expandExtents(L.Extent, B.Tensors));
    if (isConstant(Extent, Bound))
      return true;
    if (!upperBound(Extent) || *upperBound(Extent) > Bound)
      return fail("loop '" + L.V->Name + "' runs to " + toString(L.Extent) +
                  ", beyond the tensors in registers");
    if (Use.Prim->PartialRule.Value != Primitive::Partial::Pad &&
        !provablyMultiple(Extent, Use.Sizes[P], B.Tensors))
      return fail("loop '" + L.V->Name + "' runs to " + toString(L.Extent) +
                  ", which is not known to be a multiple of " + std::to_string(Use.Sizes[P]) +
                  ", and the primitive takes no partial tiles");
    if (Use.Reduces[P] && !zerosAddNothing(B.Prim, P))
      return fail("loop '" + L.V->Name + "' runs to " + toString(L.Extent) +
                  ", which is not known to be a multiple of " + std::to_string(Use.Sizes[P]) +
                  ", and zeros in its place would change the result");
    return true;
  }

  /// Loops that only the leaf has. Where they walk registers, every thread has all of the dimension.
  bool otherLoops() {
    const FormStmt &S = B.Form.Stmts[B.Match.FirstStmt];
    for (unsigned L : S.Loops) {
      if (std::count(B.Match.LoopOf.begin(), B.Match.LoopOf.end(), L))
        continue;
      const FormLoop &Loop = B.Form.Loops[L];
      Around A{L, Loop.V, {}, Loop.Extent, false, Loop.Facts.Class == LoopClass::Reduction};
      for (size_t I = 0; I < B.Match.Operands.size(); ++I) {
        const OperandMatch &M = B.Match.Operands[I];
        for (unsigned Dim = 0; M.T && Dim < M.Offsets.size(); ++Dim) {
          const Expr Index = simplify(cast(ScalarType::I64, M.Offsets[Dim]));
          if (!mentions(Index, Loop.V))
            continue;
          auto At = tileDimension(M.T, Dim, B.Tensors);
          if (!At || Index->Kind != ExprKind::Var)
            return fail("index " + toString(Index) + " of '" + M.T->Name +
                        "', which lies in registers, is not the loop '" + Loop.V->Name + "' alone");
          const RegisterTile &Tile = Tiles.at(At->first);
          A.Threads = true;
          A.Parts = withoutRegisters(Tile.Parts[At->second]);
          A.Hi = intLit(Tile.Bounds[At->second]);
          if (threadsOf(A.Parts) > 1)
            return fail("'" + M.T->Name + "' is divided among threads along loop '" +
                        Loop.V->Name + "', which the primitive does not have");
        }
      }
      Loops.push_back(std::move(A));
    }
    return true;
  }

  /// Where the tile of this call begins along a dimension of an operand.
  const Around &around(unsigned LeafLoop) const {
    return *std::find_if(Loops.begin(), Loops.end(),
                         [&](const Around &A) { return A.Leaf == LeafLoop; });
  }

  View tileView(const FragmentOperand &O, const OperandMatch &M) const {
    View V;
    V.Base = O.Tile;
    V.Loc = Use.Loc;
    V.Slices.resize(O.Tile->Rank);
    for (unsigned Dim = 0; Dim < M.Offsets.size(); ++Dim) {
      Slice &S = V.Slices[tileDimension(M.T, Dim, B.Tensors)->second];
      S.Offset = simplify(cast(ScalarType::I64, M.Offsets[Dim])); // a loop of the leaf, or constant
      S.Extent = intLit(1);
    }
    for (unsigned I = 0; I < O.Dims.size(); ++I) {
      Slice &S = V.Slices[O.Dims[I]];
      const Around &A = around(B.Match.LoopOf[O.Loops[I]]);
      const Expr Size = intLit(Use.Sizes[O.Loops[I]]);
      S.Extent = Size;
      S.Offset = intLit(0);
      if (A.V) {
        S.Offset = varExpr(A.V) * Size;
        S.Block = Size;
        S.Index = varExpr(A.V);
      }
      V.Dims.push_back(int(O.Dims[I]));
      V.BroadcastExtents.push_back(nullptr);
    }
    return V;
  }

  PrimitiveCall call() const {
    PrimitiveCall Call;
    Call.Primitive = Use.Prim->Name.Value;
    auto Fragment = Use.Operands.begin();
    for (size_t I = 0; I < B.Prim.Operands.size(); ++I) {
      PrimitiveCall::Operand O;
      O.Name = B.Prim.Operands[I].Spec->Name.Value;
      O.Read = B.Prim.Operands[I].Read;
      O.Written = B.Prim.Operands[I].Written;
      if (B.Prim.Operands[I].isScalar())
        O.Scalar = B.Match.Operands[I].Scalar;
      else
        O.Tensor = tileView(*Fragment++, B.Match.Operands[I]);
      Call.Operands.push_back(std::move(O));
    }
    return Call;
  }

  /// An update of registers by what every thread knows, such as zero.
  std::optional<Stmt> ownLoops(const FormStmt &S) {
    bool Loads = false;
    walkExprs(S.Value, [&](const Expr &E) { Loads |= E->Kind == ExprKind::Load; });
    Stmt Result = {Store{S.T, S.Indices, S.Op, S.Value}, S.Loc};
    for (auto L = S.Loops.rbegin(); L != S.Loops.rend(); ++L) {
      const FormLoop &Loop = B.Form.Loops[*L];
      Around A{*L, Loop.V, {}, Loop.Extent, true, false};
      bool Found = false;
      for (unsigned Dim = 0; Dim < S.Indices.size(); ++Dim) {
        auto At = tileDimension(S.T, Dim, B.Tensors);
        const Expr Index = simplify(cast(ScalarType::I64, S.Indices[Dim]));
        if (!At || !Tiles.count(At->first) || Index->Kind != ExprKind::Var || Index->V != Loop.V)
          continue;
        A.Parts = withoutRegisters(Tiles.at(At->first).Parts[At->second]);
        Found = true;
      }
      if (!Found || Loads) {
        fail("the leaf also updates '" + S.T->Name + "' by " + toString(S) +
             "; expected that in a leaf of its own");
        return std::nullopt;
      }
      Result = {loop(A, {std::move(Result)}), Loop.Loc};
    }
    Substitution Fresh; // the same loops stand around the call
    return freshCopy({Result}, Fresh).front();
  }
};

} // namespace

std::optional<Block> fragmentCode(const BoundLeaf &B, const FragmentUse &Use,
                                  const RegisterTiles &Tiles, std::string &Problem) {
  for (const FragmentOperand &O : Use.Operands)
    if (Tiles.at(O.Tile).Parts.size() != O.Tile->Rank) {
      Problem = "'" + O.Tile->Name + "' is not held by the threads of a kernel";
      return std::nullopt;
    }
  return FragmentWriter(B, Use, Tiles, Problem).run();
}

} // namespace septran::compiler
