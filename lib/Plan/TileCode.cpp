//===- TileCode.cpp - loops over tiles around calls of a primitive --------===//
#include "Plan/TileCode.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/LoopNest.h"
#include "Plan/OperandLayout.h"
#include "Plan/PadOperands.h"
#include "Plan/RegisterTiles.h"
#include "Support/Template.h"

#include <algorithm>

namespace septran::compiler {

namespace {

/// More iterations than any register file has room for.
constexpr std::int64_t MaxUnrolled = 64;

class TileWriter {
  const BoundLeaf &B;
  std::string &Problem;
  std::vector<Tile> Tiles;
  std::optional<OperandPadding> Padding; ///< of Tiles
  Substitution Starts; ///< loops of the leaf by the starts of their tiles
  std::set<std::string> Placeholders;
  Location Loc;

  /// A call, and the padded copies before it.
  struct PaddedCall {
    struct Copy {
      Block Code;
      View Of;
      std::int64_t Elements = 1; ///< of the copy
    };
    std::vector<Copy> Copies;
    Block Code; ///< the call and what comes after it
  };

public:
  TileWriter(const BoundLeaf &B, std::string &Problem)
      : B(B), Problem(Problem), Placeholders(placeholdersOf(B.Prim.Source->Emit.Value)),
        Loc(bound(0).Loc) {}

  std::optional<Block> run() {
    std::optional<std::vector<Tile>> Cut = tilesFor(B.Match, B.Form, B.Prim, B.Tensors, Problem);
    if (!Cut)
      return std::nullopt;
    Tiles = std::move(*Cut);
    Padding.emplace(B, Tiles, Placeholders);
    for (unsigned P = 0; P < Tiles.size(); ++P)
      Starts.Vars[leafLoop(P).V] = Tiles[P].Start;
    std::optional<std::vector<unsigned>> Around = loopsAround();
    std::optional<Block> Body = Around ? loops(*Around, 0) : std::nullopt;
    if (!Body)
      return std::nullopt;
    Block Result = B.Form.Prologue;
    for (unsigned I = 0; I < B.Match.FirstStmt; ++I)
      Result.push_back(ownLoops(B.Form.Stmts[I]));
    Result.insert(Result.end(), Body->begin(), Body->end());
    return Result;
  }

private:
  const FormStmt &bound(size_t I) const { return B.Form.Stmts[B.Match.FirstStmt + I]; }
  const FormLoop &leafLoop(unsigned P) const { return B.Form.Loops[B.Match.LoopOf[P]]; }

  std::optional<unsigned> primitiveLoop(unsigned LeafLoop) const {
    for (unsigned P = 0; P < B.Match.LoopOf.size(); ++P)
      if (B.Match.LoopOf[P] == LeafLoop)
        return P;
    return std::nullopt;
  }

  //===--- loops --------------------------------------------------------------===//

  /// The loops of the result, outermost first: those of the leaf in their order.
  std::optional<std::vector<unsigned>> loopsAround() {
    std::vector<unsigned> Result;
    for (unsigned L = 0; L < B.Form.Loops.size(); ++L) {
      size_t Uses = 0;
      for (size_t I = 0; I < B.Prim.Form.Stmts.size(); ++I)
        Uses += std::count(bound(I).Loops.begin(), bound(I).Loops.end(), L);
      std::optional<unsigned> P = primitiveLoop(L);
      if (Uses == 0 || (P && !Tiles[*P].Index))
        continue;
      if (Uses != B.Prim.Form.Stmts.size()) {
        Problem = "loop '" + B.Form.Loops[L].V->Name +
                  "' would run around all updates of the primitive, but is around " +
                  std::to_string(Uses) + " of " + std::to_string(B.Prim.Form.Stmts.size());
        return std::nullopt;
      }
      Result.push_back(L);
    }
    return accumulatesInRegisters(Result) ? reductionsFirst(Result) : Result;
  }

  std::vector<unsigned> reductionsFirst(const std::vector<unsigned> &Loops) const {
    std::vector<unsigned> Result;
    for (LoopClass Class : {LoopClass::Reduction, LoopClass::Parallel})
      for (unsigned L : Loops)
        if (B.Form.Loops[L].Facts.Class == Class)
          Result.push_back(L);
    return Result;
  }

  /// Registers hold all tiles of the result at once: the reduction goes outside, so that their
  /// updates do not wait for each other.
  bool accumulatesInRegisters(const std::vector<unsigned> &Loops) const {
    for (unsigned L : Loops)
      if (B.Form.Loops[L].Facts.Class == LoopClass::Sequential)
        return false;
    for (size_t I = 0; I < B.Prim.Operands.size(); ++I)
      if (B.Prim.Operands[I].Written && B.isRegister(B.Match.Operands[I].T))
        return true;
    return false;
  }

  /// The loops around the call from Around[First] on. Where tiles may need padding, those that are full
  /// do without: a loop of which only the last tile may is cut before that one, of others the loops
  /// inside the innermost one that decides exist twice.
  std::optional<Block> loops(const std::vector<unsigned> &Around, size_t First) {
    for (size_t At = First; At < Around.size(); ++At)
      if (std::optional<unsigned> P = primitiveLoop(Around[At]); P && isCut(*P))
        return cut(Around, First, At, *P);
    Expr IsFull;
    size_t Deciding = First; ///< loops that IsFull depends on are among the first
    for (unsigned P = 0; P < Tiles.size(); ++P)
      if (const Tile &T = Tiles[P]; T.Padded) {
        if (!T.IsFull)
          return nested(Around, First, call());
        IsFull = IsFull ? binary(BinaryOp::And, IsFull, T.IsFull) : T.IsFull;
        for (size_t At = First; At < Around.size(); ++At)
          if (primitiveLoop(Around[At]) == P && mentions(T.IsFull, T.Index))
            Deciding = std::max(Deciding, At + 1);
      }
    if (!IsFull)
      return nested(Around, First, call());
    const std::vector<Tile> AsTheyCome = Tiles;
    std::optional<Block> Partial = nested(Around, Deciding, call());
    for (Tile &T : Tiles)
      if (T.Padded)
        T = T.full();
    std::optional<Block> Full = nested(Around, Deciding, call());
    Tiles = AsTheyCome;
    if (!Partial || !Full)
      return std::nullopt;
    Substitution Fresh; // the same loops stand in both
    Block Either = {{If{IsFull, freshCopy(*Full, Fresh), std::move(*Partial)}, Loc}};
    return nested({Around.begin(), Around.begin() + std::ptrdiff_t(Deciding)}, First,
                  PaddedCall{{}, std::move(Either)});
  }

  /// All of its tiles but the last one are full, and it is a loop of its own.
  bool isCut(unsigned P) const {
    const Tile &T = Tiles[P];
    return T.Padded && T.IsFull && T.Index && mentions(T.Start, T.Index) &&
           !walksRegisters(T.Index);
  }

  /// Around[At], the loop over the tiles of P, as one over those that are full and the rest.
  std::optional<Block> cut(const std::vector<unsigned> &Around, size_t First, size_t At,
                           unsigned P) {
    const Tile Whole = Tiles[P];
    const Expr Fulls = binary(BinaryOp::Div, Whole.Bound, intLit(Whole.Size));
    const std::vector<unsigned> Before(Around.begin(), Around.begin() + std::ptrdiff_t(At));
    Tiles[P] = Whole.full();
    std::optional<Block> Full = loops(Around, At + 1);
    Tiles[P] = Whole;
    Tiles[P].IsFull = nullptr;
    std::optional<Block> Rest = loops(Around, At + 1);
    Tiles[P] = Whole;
    if (!Full || !Rest)
      return std::nullopt;
    const Location &LoopLoc = leafLoop(P).Loc;
    For Last = countedLoop(Whole.Index, Whole.Tiles, std::move(*Rest));
    Last.Lo = Fulls;
    Substitution Fresh; // the same loops stand in both
    Block Both = freshCopy({{countedLoop(Whole.Index, Fulls, std::move(*Full)), LoopLoc}}, Fresh);
    Both.push_back({std::move(Last), LoopLoc});
    return nested(Before, First, PaddedCall{{}, std::move(Both)});
  }

  /// Body in the loops of Around from First on. A padded copy is made outside loops that do not move
  /// what it copies.
  std::optional<Block> nested(std::vector<unsigned> Around, size_t First,
                              std::optional<PaddedCall> Body) const {
    if (!Body)
      return std::nullopt;
    copyLess(Around, First, Body->Copies);
    Block Code = std::move(Body->Code);
    auto Take = [&](const VarRef *Mover) {
      for (auto C = Body->Copies.rbegin(); C != Body->Copies.rend(); ++C)
        if (!C->Code.empty() && (!Mover || mentions(C->Of, *Mover))) {
          Code.insert(Code.begin(), C->Code.begin(), C->Code.end());
          C->Code.clear();
        }
    };
    for (size_t At = Around.size(); At > First; --At) {
      const FormLoop &L = B.Form.Loops[Around[At - 1]];
      Take(&variableOf(Around[At - 1]));
      Code = {{loopAround(Around[At - 1], std::move(Code)), L.Loc}};
    }
    Take(nullptr);
    return Code;
  }

  /// What the loop counts: tiles, or the leaf's own iterations.
  const VarRef &variableOf(unsigned L) const {
    const std::optional<unsigned> P = primitiveLoop(L);
    return P ? Tiles[*P].Index : B.Form.Loops[L].V;
  }

  /// The innermost loops, if they only choose registers, are written out in any order: those that
  /// move the larger copies go outside.
  void copyLess(std::vector<unsigned> &Around, size_t First,
                const std::vector<PaddedCall::Copy> &Copies) const {
    size_t Free = Around.size();
    while (Free > First && B.Form.Loops[Around[Free - 1]].Facts.Class == LoopClass::Parallel &&
           walksRegisters(variableOf(Around[Free - 1])))
      --Free;
    auto Moved = [&](unsigned L) {
      std::int64_t Elements = 0;
      for (const auto &C : Copies)
        if (mentions(C.Of, variableOf(L)))
          Elements += C.Elements;
      return Elements;
    };
    std::stable_sort(Around.begin() + std::ptrdiff_t(Free), Around.end(),
                     [&](unsigned L, unsigned R) { return Moved(L) > Moved(R); });
  }

  For loopAround(unsigned L, Block Body) const {
    std::optional<unsigned> P = primitiveLoop(L);
    For F = P ? countedLoop(Tiles[*P].Index, Tiles[*P].Tiles, std::move(Body))
              : countedLoop(B.Form.Loops[L].V, B.Form.Loops[L].Extent, std::move(Body));
    if (!walksRegisters(F.V))
      return F;
    // Which register it is must be known: as many iterations as there can be. Those that there are not do
    // the last one's work again, for registers that nobody reads, or nothing.
    const Expr Trips = simplify(expandExtents(F.Hi, B.Tensors));
    const std::optional<std::int64_t> Most = upperBound(Trips);
    if (!Most || *Most < 1 || *Most > MaxUnrolled)
      return F;
    if (!isConstant(Trips, *Most)) {
      Substitution Last;
      Last.Vars[F.V] = minExpr(varExpr(F.V), F.Hi - intLit(1));
      if (onlyFillsRegisters(F.Body, F.V))
        readInstead(F.Body, Last);
      else
        F.Body = {{If{binary(BinaryOp::Lt, varExpr(F.V), F.Hi), std::move(F.Body), {}}, Loc}};
    }
    F.Hi = intLit(*Most);
    F.Exec = LoopExec::Unrolled;
    F.StaticTrip = *Most;
    return F;
  }

  /// Each iteration over V writes registers of its own, and nothing else. On processors where a decision
  /// costs more than what it would save.
  bool onlyFillsRegisters(const Block &Body, const VarRef &V) const {
    if (B.Target.Language.Value != OutputLanguage::Cxx || B.Target.hasScratchpads())
      return false;
    std::set<TensorRef> Own; // padding
    bool Only = true;
    walkStmts(Body, [&](const Stmt &S) {
      if (const auto *A = S.getIf<Alloc>())
        Own.insert(A->T);
      else if (const auto *C = S.getIf<CopyStmt>())
        Only &= Own.count(C->Dst.Base) != 0;
      else if (const auto *St = S.getIf<Store>())
        Only &= Own.count(St->T) != 0;
      else if (const auto *C = S.getIf<PrimitiveCall>())
        for (const PrimitiveCall::Operand &O : C->Operands)
          Only &= !O.Written ||
                  (O.isTensor() && B.isRegister(O.Tensor.Base) && isElsewhereForEach(V, O.Tensor));
      else
        Only &= S.getIf<For>() || S.getIf<If>();
    });
    return Only;
  }

  /// V alone decides where T lies along some dimension.
  static bool isElsewhereForEach(const VarRef &V, const View &T) {
    const View Full = explicitView(T);
    return std::any_of(Full.Slices.begin(), Full.Slices.end(), [&](const Slice &S) {
      const std::optional<Affine> A = affineForm(S.Offset);
      return A && A->Terms.size() == 1 && A->Terms.front().first->Kind == ExprKind::Var &&
             A->Terms.front().first->V == V;
    });
  }

  /// What is read from memory is read elsewhere.
  void readInstead(Block &Body, const Substitution &Where) const {
    auto IsInMemory = [&](const Expr &E) {
      bool Result = true;
      walkExprs(E,
                [&](const Expr &N) { Result &= N->Kind != ExprKind::Load || !B.isRegister(N->T); });
      return Result;
    };
    walkStmts(Body, [&](Stmt &S) {
      if (auto *I = S.getIf<If>()) {
        I->Condition = substitute(I->Condition, Where);
      } else if (auto *F = S.getIf<For>()) {
        F->Lo = substitute(F->Lo, Where);
        F->Hi = substitute(F->Hi, Where);
      } else if (auto *Copy = S.getIf<CopyStmt>()) {
        Copy->Dst = substitute(Copy->Dst, Where);
        Copy->Src = substitute(Copy->Src, Where);
      } else if (auto *Call = S.getIf<PrimitiveCall>()) {
        for (PrimitiveCall::Operand &O : Call->Operands)
          if (O.isTensor() && !B.isRegister(O.Tensor.Base))
            O.Tensor = substitute(O.Tensor, Where);
          else if (O.Scalar && IsInMemory(O.Scalar))
            O.Scalar = substitute(O.Scalar, Where);
      }
    });
  }

  /// An operand is in another register for each value of V.
  bool walksRegisters(const VarRef &V) const {
    auto Moves = [&](const TensorRef &T, const std::vector<Expr> &Indices) {
      return B.isRegister(T) && std::any_of(Indices.begin(), Indices.end(), [&](const Expr &Index) {
               return mentions(substitute(Index, Starts), V);
             });
    };
    bool Found = false;
    for (const OperandMatch &M : B.Match.Operands) {
      Found |= M.T && Moves(M.T, M.Offsets);
      if (M.Scalar)
        walkExprs(M.Scalar, [&](const Expr &E) {
          Found |= E->Kind == ExprKind::Load && Moves(E->T, E->Args);
        });
    }
    return Found;
  }

  /// An update that stays as it was.
  Stmt ownLoops(const FormStmt &S) const {
    Stmt Result = {Store{S.T, S.Indices, S.Op, S.Value}, S.Loc};
    for (auto L = S.Loops.rbegin(); L != S.Loops.rend(); ++L) {
      const FormLoop &Loop = B.Form.Loops[*L];
      Result = {countedLoop(Loop.V, Loop.Extent, {std::move(Result)}), Loop.Loc};
    }
    Substitution Fresh; // the same loops stand around the call
    return freshCopy({Result}, Fresh).front();
  }

  //===--- the call -----------------------------------------------------------===//

  std::optional<PaddedCall> call() {
    PaddedCall Result;
    Block After;
    PrimitiveCall Call;
    Call.Primitive = B.Prim.Source->Name.Value;
    for (size_t I = 0; I < B.Prim.Operands.size(); ++I) {
      std::optional<PrimitiveCall::Operand> O = operand(B.Prim.Operands[I], B.Match.Operands[I]);
      if (!O)
        return std::nullopt;
      if (Padding->isPadded(I)) {
        PaddedOperand P = Padding->pad(B.Prim.Operands[I], O->Tensor, Loc);
        std::int64_t Elements = 1;
        for (const Expr &Extent : P.Before.front().getIf<Alloc>()->Extents)
          Elements *= constantValue(Extent).value_or(1);
        Result.Copies.push_back({std::move(P.Before), std::move(O->Tensor), Elements});
        After.insert(After.end(), P.After.begin(), P.After.end());
        O->Tensor = wholeView(P.Buffer);
      }
      if (!Padding->isPadded(I) && !isLaidOut(*O))
        return std::nullopt;
      Call.Operands.push_back(std::move(*O));
    }
    for (const auto &S : B.Prim.Sizes)
      Call.Sizes.emplace_back(S.Name.Value, Padding->sizeOf(S.Value.Value));
    Result.Code.push_back({std::move(Call), Loc});
    Result.Code.insert(Result.Code.end(), After.begin(), After.end());
    return Result;
  }

  std::optional<PrimitiveCall::Operand> operand(const PrimitiveOperand &O, const OperandMatch &M) {
    PrimitiveCall::Operand Result;
    Result.Name = O.Spec->Name.Value;
    Result.Read = O.Read;
    Result.Written = O.Written;
    if (O.isScalar()) {
      Result.Scalar = substitute(M.Scalar, Starts);
      return Result;
    }
    Result.Tensor = tileView(O, M);
    if (B.isRegister(M.T))
      return fillsRegisters(O, Result) ? std::optional(Result) : std::nullopt;
    std::optional<std::vector<LayoutMode>> Inner = fixedModes(*O.Spec, Placeholders, Problem);
    if (!Inner)
      return std::nullopt;
    Result.Inner = std::move(*Inner);
    return Result;
  }

  /// The tile starts with a register, and what it lacks of one does not matter.
  bool fillsRegisters(const PrimitiveOperand &O, const PrimitiveCall::Operand &Op) {
    const std::string Name = "'" + Op.Tensor.Base->Name + "'";
    for (unsigned Dim = 0; Dim < Op.Tensor.Dims.size(); ++Dim) {
      const Expr &Start = Op.Tensor.Slices[Op.Tensor.Dims[Dim]].Offset;
      const std::int64_t Lanes = O.Spec->Shape[Dim].Value.Value;
      if (!provablyMultiple(Start, Lanes, B.Tensors)) {
        Problem = "tiles of " + Name + " start at " + toString(Start) +
                  ", which is not known to be the first lane of a register";
        return false;
      }
    }
    for (unsigned P = 0; P < Tiles.size(); ++P)
      if (Tiles[P].Padded && B.walks(O, P) && B.reduces(P)) {
        Problem = "loop '" + leafLoop(P).V->Name + "' needs zeros after its end in " + Name +
                  ", which lies in registers";
        return false;
      }
    return true;
  }

  bool isLaidOut(const PrimitiveCall::Operand &O) {
    return O.Inner.empty() || wantedLayout(O, B.Tensors, Problem);
  }

  /// How far the operand reaches along a dimension, for the iterations of this tile.
  Expr tileExtent(const PrimitiveOperand &O, unsigned Dim) const {
    Substitution Last;
    for (unsigned P = 0; P < Tiles.size(); ++P)
      Last.Vars[B.Prim.Form.Loops[P].V] = Tiles[P].Count - intLit(1);
    Expr Extent;
    for (const std::vector<Expr> &Access : O.Accesses) {
      Expr Here = simplify(substitute(Access[Dim], Last) + intLit(1));
      Extent = !Extent || equal(Extent, Here) ? Here : maxExpr(Extent, Here);
    }
    return Extent;
  }

  View tileView(const PrimitiveOperand &O, const OperandMatch &M) const {
    View V;
    V.Base = M.T;
    V.Loc = Loc;
    for (const Expr &Offset : M.Offsets)
      V.Slices.push_back(
          {simplify(substitute(Offset, Starts)), intLit(1), nullptr, nullptr, nullptr, nullptr});
    for (unsigned Dim = 0; Dim < M.Dims.size(); ++Dim) {
      Slice &S = V.Slices[M.Dims[Dim]];
      S.Extent = tileExtent(O, Dim);
      V.Dims.push_back(static_cast<int>(M.Dims[Dim]));
      V.BroadcastExtents.push_back(nullptr);
      if (const Tile *T = blockTile(O, Dim, M.Offsets[M.Dims[Dim]])) {
        S.Block = intLit(T->Size);
        S.Index = varExpr(T->Index);
      }
    }
    return V;
  }

  /// The tile whose iterations are the elements along a dimension, one by one from its start.
  const Tile *blockTile(const PrimitiveOperand &O, unsigned Dim, const Expr &Offset) const {
    for (unsigned P = 0; P < Tiles.size(); ++P) {
      auto Walks = [&](const std::vector<Expr> &Access) {
        return Access[Dim]->Kind == ExprKind::Var && Access[Dim]->V == B.Prim.Form.Loops[P].V;
      };
      if (Tiles[P].Index && !constantValue(Tiles[P].Start) && Offset->Kind == ExprKind::Var &&
          Offset->V == leafLoop(P).V && std::all_of(O.Accesses.begin(), O.Accesses.end(), Walks))
        return &Tiles[P];
    }
    return nullptr;
  }
};

} // namespace

std::optional<Block> tileCode(const BoundLeaf &B, std::string &Problem) {
  return TileWriter(B, Problem).run();
}

} // namespace septran::compiler
