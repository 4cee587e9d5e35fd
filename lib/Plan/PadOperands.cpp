//===- PadOperands.cpp - operands behind the ends of tensors --------------===//
#include "Plan/PadOperands.h"

#include "IR/Rewrite.h"
#include "Plan/LoopNest.h"
#include "Plan/OperandLayout.h"

#include <algorithm>

namespace septran::compiler {

namespace {

/// Stores zero in every element.
Stmt clear(const TensorRef &T, const std::vector<Expr> &Extents, const Location &Loc) {
  std::vector<Expr> Indices;
  std::vector<VarRef> Vars;
  for (unsigned D = 0; D < T->Rank; ++D) {
    Vars.push_back(makeVar("p" + std::to_string(D), ScalarType::I64, VarKind::Loop));
    Indices.push_back(varExpr(Vars.back()));
  }
  Stmt Result = {Store{T, Indices, UpdateOp::Set, cast(T->Element, intLit(0))}, Loc};
  for (unsigned D = T->Rank; D > 0; --D) {
    For Walk = countedLoop(Vars[D - 1], Extents[D - 1], {std::move(Result)});
    Walk.StaticTrip = constantValue(Extents[D - 1]).value_or(0);
    Result = {std::move(Walk), Loc};
  }
  return Result;
}

} // namespace

/// Finds the operands of which whole tiles are read where the tensor ends. Such a tile is one run
/// of a buffer, behind which there is room.
OperandPadding::OperandPadding(const BoundLeaf &B, std::vector<Tile> &Tiles,
                               const std::set<std::string> &Placeholders)
    : B(B), Tiles(Tiles), Placeholders(Placeholders) {
  for (size_t I = 0; I < B.Prim.Operands.size(); ++I)
    if (isRun(I)) {
      ReadsOn[I] = true;
      if (endsInZeros(I))
        EndsInZeros.insert(I);
      ReadsOn[I] = zerosRemain();
    }
  for (unsigned P = 0; P < Tiles.size(); ++P)
    if (Tiles[P].Padded && !B.reduces(P) && needsNoCopies(P)) {
      Tiles[P].Padded = false;
      Tiles[P].IsFull = nullptr;
    }
}

bool OperandPadding::isPadded(size_t I) const {
  for (unsigned P = 0; P < Tiles.size(); ++P)
    if (isPaddedAlong(I, P))
      return true;
  return false;
}

bool OperandPadding::isPaddedAlong(size_t I, unsigned P) const {
  const PrimitiveOperand &O = B.Prim.Operands[I];
  if (O.isScalar() || B.isRegister(B.Match.Operands[I].T) || !Tiles[P].Padded || !B.walks(O, P))
    return false;
  auto It = ReadsOn.find(I);
  return It == ReadsOn.end() || (B.reduces(P) && !It->second);
}

/// A buffer whose tiles lie in one piece, of a size that is known.
bool OperandPadding::isRun(size_t I) const {
  const PrimitiveOperand &O = B.Prim.Operands[I];
  if (B.Target.Language.Value != OutputLanguage::Cxx || B.Target.hasScratchpads() || O.isScalar() ||
      O.Written || !B.Tensors.allocated(B.Tensors.root(B.Match.Operands[I].T)))
    return false;
  for (const Located<OperandExtent> &E : O.Spec->Shape)
    if (!E.Value.Symbol.empty())
      return false;
  std::string Ignored;
  const auto Fixed = fixedModes(*O.Spec, Placeholders, Ignored);
  const std::optional<BufferLayout> Layout = operandLayout(*O.Spec);
  return Fixed && Layout && std::all_of(Layout->Modes.begin(), Layout->Modes.end(), [&](auto &M) {
           return !Placeholders.count(distancePlaceholder(*O.Spec, M));
         });
}

/// Along reductions its tiles are as long as the panels of a buffer that copies alone write, and
/// those fill the last panel with zeros (BufferLayout.h).
bool OperandPadding::endsInZeros(size_t I) const {
  const PrimitiveOperand &O = B.Prim.Operands[I];
  std::string Ignored;
  const auto Fixed = fixedModes(*O.Spec, Placeholders, Ignored);
  if (!Fixed || Fixed->empty() || Fixed->back().P != LayoutMode::Part::Remainder ||
      !B.CopiedWhole.count(B.Tensors.root(B.Match.Operands[I].T)))
    return false;
  const LayoutMode &Innermost = Fixed->back();
  for (unsigned P = 0; P < Tiles.size(); ++P) {
    auto IsAlongPanel = [&](const std::vector<Expr> &Access) {
      const Expr &Index = Access[Innermost.Dim];
      return Index->Kind == ExprKind::Var && Index->V == B.Prim.Form.Loops[P].V;
    };
    if (Tiles[P].Padded && B.reduces(P) && B.walks(O, P) &&
        (Tiles[P].Size != Innermost.Split ||
         !std::all_of(O.Accesses.begin(), O.Accesses.end(), IsAlongPanel)))
      return false;
  }
  return true;
}

/// Reductions add nothing beyond their end, though only padded copies and filled panels are zero
/// there.
bool OperandPadding::zerosRemain() const {
  std::set<TensorRef> Zero;
  for (size_t I = 0; I < B.Prim.Operands.size(); ++I)
    if (auto It = ReadsOn.find(I); It == ReadsOn.end() || !It->second || EndsInZeros.count(I))
      Zero.insert(B.Prim.Operands[I].T);
  for (unsigned P = 0; P < Tiles.size(); ++P)
    if (Tiles[P].Padded && B.reduces(P) && !zerosAddNothing(B.Prim, P, &Zero))
      return false;
  return true;
}

bool OperandPadding::needsNoCopies(unsigned P) const {
  for (size_t I = 0; I < B.Prim.Operands.size(); ++I)
    if (isPaddedAlong(I, P))
      return false;
  return B.Prim.Form.Loops[P].Extent->Kind != ExprKind::Var;
}

Expr OperandPadding::sizeOf(const VarRef &Size) const {
  for (unsigned P = 0; P < Tiles.size(); ++P)
    if (const Expr &E = B.Prim.Form.Loops[P].Extent; E->Kind == ExprKind::Var && E->V == Size)
      return Tiles[P].Padded ? intLit(Tiles[P].Size) : Tiles[P].Count;
  const SizeRange &R = *B.Prim.Source->Sizes.find(Size->Name);
  return intLit(R.Max); // no loop runs to it: any value will do
}

/// The operand's own extents.
std::vector<Expr> OperandPadding::shapeOf(const PrimitiveOperand &O) const {
  std::vector<Expr> Shape;
  for (const Located<OperandExtent> &E : O.Spec->Shape)
    Shape.push_back(E.Value.Symbol.empty() ? intLit(E.Value.Value)
                                           : sizeOf(*B.Prim.Sizes.find(E.Value.Symbol)));
  return Shape;
}

PaddedOperand OperandPadding::pad(const PrimitiveOperand &O, const View &Tile,
                                  const Location &Loc) const {
  const std::vector<Expr> Shape = shapeOf(O);
  TensorRef Buffer = makeTensor(Tile.Base->Name + "_pad", O.Element,
                                static_cast<unsigned>(Shape.size()), TensorKind::Buffer, Loc);
  Buffer->Memory = Tile.Base->Memory;
  Alloc A;
  A.T = Buffer;
  A.Extents = Shape;
  A.Memory = Buffer->Memory;
  A.Reason = "padding of operand " + O.Spec->Name.Value + " of " + B.Prim.Source->Name.Value;
  PaddedOperand Result = {Buffer, {{std::move(A), Loc}}, {}};
  View Part = explicitView(wholeView(Buffer));
  for (unsigned D = 0; D < Buffer->Rank; ++D)
    Part.Slices[D].Extent = Tile.extent(D);
  const std::string Reason = "partial tile of " + B.Prim.Source->Name.Value;
  if (O.Read) {
    Result.Before.push_back(clear(Buffer, Shape, Loc));
    Result.Before.push_back({CopyStmt{Part, Tile, Reason}, Loc});
  }
  if (O.Written)
    Result.After.push_back({CopyStmt{Tile, Part, Reason}, Loc});
  return Result;
}

} // namespace septran::compiler
