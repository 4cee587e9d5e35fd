//===- OpenMPMoves.cpp - elements that are only moved ---------------------===//
//
// To set all of a register tile, or rows of memory, to one number, and to move them from or to rows
// of memory is a line: a function of the runtime library has the loops (septran/cpu/blocks.h,
// pack.h).
//
//===----------------------------------------------------------------------===//
#include "Emit/OpenMPEmitter.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"

#include "llvm/ADT/STLExtras.h"

namespace septran::compiler {

/// A nest of loops around one store that sets an element to a number or to another element.
struct OpenMPEmitter::MoveNest {
  std::vector<const For *> Loops; ///< outermost first
  const Store *Set = nullptr;
  bool isFill() const { return Set->Value->Kind != ExprKind::Load; }
};

std::optional<OpenMPEmitter::MoveNest> OpenMPEmitter::moveNest(const For &F) {
  MoveNest Nest;
  for (const For *Loop = &F; Loop; Loop = Loop->Body.front().getIf<For>()) {
    if (Loop->Step != 1 || !isConstant(Loop->Lo, 0) || isPart(*Loop) || Loop->Body.size() != 1 ||
        !Loop->Spread.empty() || Loop->InStep > 1)
      return std::nullopt;
    Nest.Loops.push_back(Loop);
    Nest.Set = Loop->Body.front().getIf<Store>();
  }
  const Store *S = Nest.Set;
  if (!S || S->Op != UpdateOp::Set || isSmallFloat(S->T->Element) ||
      S->Value->Type != S->T->Element ||
      (S->Value->Kind != ExprKind::FloatLit && S->Value->Kind != ExprKind::IntLit &&
       S->Value->Kind != ExprKind::Load))
    return std::nullopt;
  return Nest;
}

/// Whether the loops go through all of the tile: each dimension has a loop of its own, or one
/// element.
bool OpenMPEmitter::coversTile(const MoveNest &Nest, const Storage &Tile,
                               const std::vector<Expr> &Indices) {
  std::set<VarRef> Walked;
  for (size_t Dim = 0; Dim < Indices.size(); ++Dim) {
    const Expr &I = Indices[Dim];
    const auto Loop = llvm::find_if(
        Nest.Loops, [&](const For *F) { return I->Kind == ExprKind::Var && I->V == F->V; });
    if (Loop == Nest.Loops.end() ? !isConstant(I, 0) || Tile.Bounds[Dim] != 1
                                 : (*Loop)->StaticTrip != Tile.Bounds[Dim])
      return false;
    if (Loop != Nest.Loops.end())
      Walked.insert(I->V);
  }
  return Walked.size() == Nest.Loops.size();
}

/// Where rows of neighbours in memory begin that the loops walk, and how far they lie apart. No
/// distance: they are no such rows. Where there is one row, both loops are the same.
std::pair<std::string, Expr> OpenMPEmitter::rowsAt(const Expr &Element, const For &Row,
                                                   const For &InLanes) const {
  const Storage &S = storageFor(Element->T);
  if (S.IsTile || S.Line || !isConstant(stepOf(Element, InLanes.V), 1))
    return {};
  const Expr Distance = &Row == &InLanes ? intLit(0) : stepOf(Element, Row.V);
  Substitution First;
  for (const For *Loop : {&Row, &InLanes}) {
    if (mentions(Distance, Loop->V))
      return {};
    First.Vars[Loop->V] = intLit(0);
  }
  std::vector<Expr> Begin;
  for (const Expr &I : Element->Args)
    Begin.push_back(substitute(I, First));
  return {addressText(S.Name, S.offsetOf(Begin)), wide(Distance)};
}

bool OpenMPEmitter::emitTileFill(const MoveNest &Nest) {
  const auto Found = Nest.isFill() ? Stores.find(Nest.Set->T) : Stores.end();
  if (Found == Stores.end() || !Found->second.IsTile ||
      !coversTile(Nest, Found->second, Nest.Set->Indices))
    return false;
  const Storage &Tile = Found->second;
  const std::string Value = text(Nest.Set->Value), Element(cxxName(Nest.Set->T->Element));
  W.line("cpu::fill_tile(" + Tile.Name + ", " +
         (Tile.LaneDim < 0
              ? Value
              : "cpu::splat<" + Element + ", " + std::to_string(Tile.Width) + ">(" + Value + ")") +
         ");");
  return true;
}

/// Between memory and a tile of rows of vectors.
bool OpenMPEmitter::emitTileMove(const MoveNest &Nest) {
  if (Nest.isFill() || Nest.Loops.size() > 2 || !Guards.empty() || Streaming.count(Nest.Set))
    return false;
  const Expr &Value = Nest.Set->Value, Target = load(Nest.Set->T, Nest.Set->Indices);
  const auto To = Stores.find(Target->T), From = Stores.find(Value->T);
  if (To == Stores.end() || From == Stores.end() || To->second.IsTile == From->second.IsTile)
    return false;
  const bool Into = To->second.IsTile;
  const Storage &Tile = Into ? To->second : From->second,
                &Memory = Into ? From->second : To->second;
  const Expr &InTile = Into ? Target : Value, &InMemory = Into ? Value : Target;
  const For &Row = *Nest.Loops.front(), &InLanes = *Nest.Loops.back();
  if (Tile.Bounds.size() != 2 || Tile.LaneDim != 1 || InLanes.Exec != LoopExec::Lanes ||
      InLanes.Width != Tile.Width || !coversTile(Nest, Tile, InTile->Args) ||
      InTile->Args[1]->Kind != ExprKind::Var || InTile->Args[1]->V != InLanes.V)
    return false;
  const auto [Place, Distance] = rowsAt(InMemory, Row, InLanes);
  if (!Distance)
    return false;
  // A size that is known is a type: what is whole needs neither masks nor conditions.
  auto size = [&](const Expr &Size) {
    return constantValue(Size) ? "cpu::constant<" + text(Size) + ">()" : text(wide(Size));
  };
  const bool Whole = Into && hasWholeVectors(Memory, InMemory->Args, InLanes);
  const std::string Rows = Place + ", " + text(Distance);
  W.line((Into ? "cpu::load_tile(" + Tile.Name + ", " + Rows
               : "cpu::store_tile(" + Rows + ", " + Tile.Name) +
         ", " + size(&Row == &InLanes ? intLit(1) : Row.Hi) + ", " +
         size(Whole ? intLit((Tile.Bounds[1] + Tile.Width - 1) / Tile.Width * Tile.Width)
                    : InLanes.Hi) +
         ");");
  return true;
}

/// Rows of memory, of whatever size.
bool OpenMPEmitter::emitBlockMove(const MoveNest &Nest) {
  if (Nest.Loops.size() != 2 || InPart || !Guards.empty() || Streaming.count(Nest.Set))
    return false;
  const For &Row = *Nest.Loops.front(), &InLanes = *Nest.Loops.back();
  if (Row.Exec != LoopExec::Plain || InLanes.Exec != LoopExec::Lanes || Row.StaticTrip ||
      InLanes.StaticTrip || mentions(InLanes.Hi, Row.V))
    return false;
  for (const For *Loop : Nest.Loops) // where rows are joined with those around, they end elsewhere
    if (unrollOf(*Loop) || asksAhead(*Loop) || Ends.count(Loop))
      return false;
  const Expr &Value = Nest.Set->Value;
  const auto [To, Distance] = rowsAt(load(Nest.Set->T, Nest.Set->Indices), Row, InLanes);
  if (!Distance)
    return false;
  const std::string Rows = To + ", " + text(Distance),
                    Size = ", " + text(wide(Row.Hi)) + ", " + text(wide(InLanes.Hi));
  if (Nest.isFill()) {
    W.line("cpu::fill_block(" + Rows + Size + ", " + text(Value) + ");");
    return true;
  }
  if (Value->T == Nest.Set->T)
    return false;
  const auto [From, FromDistance] = rowsAt(Value, Row, InLanes);
  if (!FromDistance)
    return false;
  W.line("cpu::copy_block(" + Rows + ", " + From + ", " + text(FromDistance) + ", 1" + Size + ");");
  return true;
}

bool OpenMPEmitter::emitMove(const For &F) {
  const std::optional<MoveNest> Nest = moveNest(F);
  return Nest && (emitTileFill(*Nest) || emitTileMove(*Nest) || emitBlockMove(*Nest));
}

} // namespace septran::compiler
