//===- OpenMPVersions.cpp - code for whole blocks and for the rest --------===//
//
// Whole vectors and register tiles have sizes that the C++ compiler is to know, the last ones of a
// row or matrix do not. The text for both is one lambda, which a function of septran/cpu/lanes.h or
// blocks.h calls twice: with constants, and with numbers. Of the program's two versions of a
// register tile the one for clipped blocks is printed, whose sizes are parameters. Primitives have
// whole tiles, or padded copies of clipped ones: that is other code, and both versions are printed,
// the latter in a lambda, too.
//
//===----------------------------------------------------------------------===//
#include "Emit/DropUnused.h"
#include "Emit/OpenMPEmitter.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/LaneLegality.h"
#include "Plan/ScalarValues.h"
#include "Plan/TensorTable.h"

#include <algorithm>
#include <utility>

namespace septran::compiler {

/// `Call[=, &sum](auto n) { ... });`. By value, but for arrays and for what the body changes: see
/// septran/cpu/lanes.h.
void OpenMPEmitter::emitLambda(const Lambda &L, const Block &Body,
                               llvm::function_ref<void()> EmitBody) {
  std::vector<std::string> References;
  const DefinedSymbols Inside = definedIn(Body);
  walkStmts(Body, [&](const Stmt &S) {
    const auto *A = S.getIf<Assign>();
    if (A && !Inside.Vars.count(A->V))
      References.push_back(Names.name(A->V));
  });
  const size_t Around = Changing.size();
  SourceWriter Outer = std::exchange(W, SourceWriter());
  const bool OuterInLambda = std::exchange(InLambda, !L.OnCopy);
  const bool OuterOnCopy = std::exchange(OnCopy, OnCopy || L.OnCopy);
  EmitBody();
  OnCopy = OuterOnCopy;
  InLambda = OuterInLambda;
  const std::string Text = std::exchange(W, std::move(Outer)).text();
  const std::set<std::string_view> Mentioned = identifiersIn(Text);

  References.insert(References.end(), Changing.begin(), Changing.begin() + std::ptrdiff_t(Around));
  Changing.resize(Around);
  std::string Captures = "=", Parameters;
  std::set<std::string> Done;
  for (const std::string &Name : References)
    if (Mentioned.count(Name) && Done.insert(Name).second)
      Captures += ", &" + Name;
  for (const std::string &Name : L.Parameters)
    Parameters += (Parameters.empty() ? "auto" : ", auto") + (Mentioned.count(Name) ? " " + Name : "");
  W.open(L.Call + "[" + Captures + "](" + Parameters + ")" +
         (L.OnCopy ? " __attribute__((always_inline))" : ""));
  W.add(Text);
  W.close(L.End);
}

/// Else of every If that chooses whole blocks, in terms of variables for the extents of a block.
void OpenMPEmitter::nameBlockSizes(Block &B) {
  for (Stmt &S : B) {
    auto *I = S.getIf<If>();
    if (I && I->ChoosesWhole && !blockExtents(I->Condition).empty()) {
      std::vector<BlockSize> Sizes;
      for (const BlockExtent &E : blockExtents(I->Condition)) {
        BlockSize Size{E, makeVar("n", ScalarType::I64, VarKind::Scalar)};
        walkStmts(I->Else, [&](const Stmt &Inner) {
          const auto *A = Inner.getIf<Alloc>();
          for (size_t Dim = 0; A && Dim < A->Extents.size(); ++Dim)
            if (Size.V->Name == "n" && equal(A->Extents[Dim], Size.Extent))
              Size.V = makeVar(A->T->Name + "_n" + std::to_string(Dim), ScalarType::I64,
                               VarKind::Scalar);
        });
        Sizes.push_back(std::move(Size));
      }
      rewriteExprs(I->Else, [&](const Expr &N) -> Expr {
        for (const BlockSize &Size : Sizes)
          if (equal(N, Size.Extent))
            return cast(N->Type, varExpr(Size.V));
        return nullptr;
      });
      if (!callsPrimitive(I->Then) && !callsPrimitive(I->Else))
        I->Then.clear();
      BlockSizes[I] = std::move(Sizes);
    }
    for (Block *Nested : nestedBlocks(S))
      nameBlockSizes(*Nested);
  }
}

/// How much is left where a block begins, or its extent: that is the former clipped.
Expr OpenMPEmitter::leftOf(const BlockSize &Size) const {
  Expr E = wide(Size.Extent);
  if (E->Kind == ExprKind::Extent)
    E = wide(storageFor(E->T).Extents[E->Dim]);
  if (E->Kind == ExprKind::Var)
    if (auto Found = SizeValues.find(E->V); Found != SizeValues.end())
      E = Found->second;
  if (E->Kind == ExprKind::Binary && E->Bin == BinaryOp::Min)
    for (unsigned Side : {0u, 1u})
      if (isConstant(E->Args[Side], Size.Whole))
        return E->Args[1 - Side];
  return E;
}

void OpenMPEmitter::emitVersions(const If &I) {
  Lambda Body;
  std::string Whole, Left;
  for (const BlockSize &Size : BlockSizes.at(&I)) {
    Whole += (Whole.empty() ? "" : ", ") + std::to_string(Size.Whole);
    Left += (Left.empty() ? "" : ", ") + text(leftOf(Size));
  }
  for (const BlockSize &Size : BlockSizes.at(&I))
    Body.Parameters.push_back(Names.define(Size.V));
  const BlockSize &Last = BlockSizes.at(&I).back();
  const std::int64_t Width = blockWidth(Last.Whole, varExpr(Last.V), I.Else);
  const bool HasText = !I.Then.empty();
  if (HasText) {
    W.open("if (" + text(I.Condition) + ")");
    emitBlock(I.Then);
    W.close(" else {", true);
  }
  Body.Call = "cpu::" + std::string(HasText ? "for_clipped_block" : "for_block") + "<" +
              std::to_string(Width) + ", " + Whole + ">({" + Left + "}, ";
  emitLambda(Body, I.Else, [&] { emitBlock(I.Else); });
  if (HasText)
    W.close();
}

/// Whether code of the entry's own processor stays on it, and needs no object but what lambdas copy.
static bool isPlain(const Block &B) {
  bool Plain = true;
  walkStmts(B, [&](const Stmt &S) {
    const auto *F = S.getIf<For>();
    const auto *I = S.getIf<If>();
    Plain &= !(F && !F->Spread.empty()) && !(I && I->Fills) && !S.getIf<OpaqueCall>();
  });
  return Plain;
}

/// An If of which Then is for some sizes. Small products are such code: it is short, and runs once in a
/// call. g++ would neglect it beside the loops of the others, see cpu::apart.
void OpenMPEmitter::emitForSizes(const If &I) {
  if (InParallel || InLambda || !Loops.empty() || !isPlain(I.Then)) {
    emitIf(I);
    return;
  }
  W.open("if (" + text(I.Condition) + ")");
  emitThen(I, [&] { emitLambda({"cpu::apart(", {}}, I.Then, [&] { emitBlock(I.Then); }); });
  emitElse(I.Else);
}

/// In a block that begins with the bounds of a register tile's loop (Plan/ClipWindows.h), that
/// loop.
OpenMPEmitter::Part OpenMPEmitter::partOf(const Block &B) {
  Part Found;
  const Let *First = B.size() > 2 ? B[0].getIf<Let>() : nullptr;
  const Let *End = First ? B[1].getIf<Let>() : nullptr;
  if (!End)
    return Found;
  walkStmts(B, [&](const Stmt &S) {
    const auto *F = S.getIf<For>();
    if (!F)
      return;
    if (isPart(*F) && F->Lo->V == First->V && F->Hi->V == End->V)
      Found.Tile = F;
    else if (decidesBetween(*F, First->V, End->V))
      Found = {F, true};
  });
  return Found;
}

/// Of such a block, what follows the bounds is code for the parts of the tile that are usual, with
/// constants, and for any.
void OpenMPEmitter::emitPart(const Block &B) {
  const auto [Tile, Decides] = partOf(B);
  if (!Tile) {
    emitBlock(B);
    return;
  }
  const Let *First = B[0].getIf<Let>(), *End = B[1].getIf<Let>();
  // Wider borders than of two elements are rare.
  constexpr std::int64_t Usual = 2;
  const std::int64_t Late =
      std::min({plannedBound(First->Value, Ranges).value_or(Usual), Usual, Tile->StaticTrip - 1});
  Lambda Body;
  Body.Call = std::string(Decides ? "cpu::for_part_or_none<" : "cpu::for_part<") +
              std::to_string(Tile->StaticTrip) + ", " + std::to_string(Late) + ">(" +
              text(wide(First->Value)) + ", " + text(wide(End->Value)) + ", ";
  Body.Parameters = {Names.define(First->V), Names.define(End->V)};
  const Block Rest(B.begin() + 2, B.end());
  const bool Outer = std::exchange(InPart, true);
  emitLambda(Body, Rest, [&] { emitPart(Rest); });
  InPart = Outer;
}

/// The loops over the rows and the lanes of a register tile, from `Rows` on.
static std::vector<const For *> loopsOfTile(const For &Rows) {
  std::vector<const For *> Tile{&Rows};
  while (Tile.back()->Exec == LoopExec::Unrolled && Tile.back()->Body.size() == 1 &&
         Tile.back()->Body.front().getIf<For>())
    Tile.push_back(Tile.back()->Body.front().getIf<For>());
  return Tile;
}

static std::int64_t vectorsOf(const For &Lanes) {
  return (Lanes.StaticTrip + Lanes.Width - 1) / Lanes.Width;
}

/// Whether g++ 12 would load vectors that rows share anew for each row, of which there are few,
/// though registers are left for them. In a loop that is unrolled it loads them once.
bool OpenMPEmitter::reloadsVectors(const For &Rows) const {
  constexpr std::int64_t FewRows = 5;
  const std::vector<const For *> Tile = loopsOfTile(Rows);
  const For &Lane = *Tile.back();
  std::int64_t Count = 1;
  for (const For *F : Tile)
    if (F != &Lane)
      Count *= F->StaticTrip;
  std::int64_t Registers = 0;
  for (const Memory &M : P.Target->Memories)
    if (M.Registers)
      Registers = M.Registers->Value.Count;
  const bool IsUnrolled = !Loops.empty() && unrollOf(*Loops.back()) > 1;
  return Lane.StaticTrip && !IsUnrolled && Count > 1 && Count <= FewRows &&
         (Count + 1) * vectorsOf(Lane) < Registers;
}

/// Before the loops over the rows of a tile, or its part, the vectors that do not change from row
/// to row are loaded into registers.
void OpenMPEmitter::holdVectors(const For &Rows) {
  const std::vector<const For *> Tile = loopsOfTile(Rows);
  const For &Lane = *Tile.back();
  const Store *S = Lane.Body.size() == 1 ? Lane.Body.front().getIf<Store>() : nullptr;
  if (Lane.Exec != LoopExec::Lanes || !Lane.StaticTrip || !isConstant(Lane.Lo, 0) || !S)
    return;
  const std::int64_t Vectors = vectorsOf(Lane);
  walkExprs(S->Value, [&](const Expr &E) {
    if (E->Kind != ExprKind::Load || isSmallFloat(E->T->Element))
      return;
    auto Moves = [&](const For *F) {
      return std::any_of(E->Args.begin(), E->Args.end(),
                         [&](const Expr &I) { return mentions(I, F->V); });
    };
    if (!Moves(&Lane) || std::any_of(Tile.begin(), std::prev(Tile.end()), Moves) ||
        Held.count(toString(E)))
      return;
    const std::string Name = Names.fresh(E->T->Name + "_v"), Width = std::to_string(Lane.Width);
    W.line(vectorType(E->T->Element, Lane.Width) + " " + Name + "[" + std::to_string(Vectors) + "];");
    W.line("#pragma GCC unroll 64");
    Lanes = LaneState();
    Lanes->Loop = &Lane;
    Lanes->Width = Lane.Width;
    Lanes->Varying = varyingIn(Lane);
    Lanes->Fields = recordsOf(Lane);
    const std::string V = Names.define(Lane.V);
    W.open("for (std::ptrdiff_t " + V + " = 0; " + V + " < " + std::to_string(Vectors * Lane.Width) +
           "; " + V + " += " + Width + ")");
    if (!isConstant(Lane.Hi, Vectors * Lane.Width))
      Lanes->Set = "cpu::lanes<" + Width + ">(" + text(wide(Lane.Hi)) + ", " + V + ")";
    W.line(Name + "[" + V + " / " + Width + "] = cpu::" +
           (InPart ? "in_register(" : "loaded_once(") + laneLoadText(E->T, E->Args) + ");");
    W.close();
    Lanes.reset();
    Held[toString(E)] = Name;
  });
}

} // namespace septran::compiler
