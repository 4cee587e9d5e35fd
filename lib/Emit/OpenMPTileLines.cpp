//===- OpenMPTileLines.cpp - what happens to a whole register tile --------===//
//
// To set all of a register tile to one number, to load it from rows of memory or to store it there
// is a line: a function of the runtime library has the loops (septran/cpu/blocks.h).
//
//===----------------------------------------------------------------------===//
#include "Emit/OpenMPEmitter.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"

#include "llvm/ADT/STLExtras.h"

namespace septran::compiler {

namespace {

/// A nest of loops over register tiles around one store, outermost first.
struct TileNest {
  std::vector<const For *> Loops;
  const Store *Set = nullptr;
};

std::optional<TileNest> tileNest(const For &F) {
  TileNest Nest;
  for (const For *Loop = &F; Loop; Loop = Loop->Body.front().getIf<For>()) {
    if (!Loop->StaticTrip || Loop->Step != 1 || !isConstant(Loop->Lo, 0) || isPart(*Loop) ||
        Loop->Body.size() != 1)
      return std::nullopt;
    Nest.Loops.push_back(Loop);
    Nest.Set = Loop->Body.front().getIf<Store>();
  }
  if (!Nest.Set || Nest.Set->Op != UpdateOp::Set || isSmallFloat(Nest.Set->T->Element) ||
      Nest.Set->Value->Type != Nest.Set->T->Element)
    return std::nullopt;
  return Nest;
}

/// Whether the loops go through all of the tile: each dimension has a loop of its own, or one
/// element.
bool coversTile(const TileNest &Nest, const Storage &Tile, const std::vector<Expr> &Indices) {
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

} // namespace

bool OpenMPEmitter::emitTileFill(const For &F) {
  const std::optional<TileNest> Nest = tileNest(F);
  const auto Found = Nest ? Stores.find(Nest->Set->T) : Stores.end();
  if (Found == Stores.end() || !Found->second.IsTile ||
      (Nest->Set->Value->Kind != ExprKind::FloatLit &&
       Nest->Set->Value->Kind != ExprKind::IntLit) ||
      !coversTile(*Nest, Found->second, Nest->Set->Indices))
    return false;
  const Storage &Tile = Found->second;
  const std::string Value = text(Nest->Set->Value), Element(cxxName(Nest->Set->T->Element));
  W.line("cpu::fill_tile(" + Tile.Name + ", " +
         (Tile.LaneDim < 0
              ? Value
              : "cpu::splat<" + Element + ", " + std::to_string(Tile.Width) + ">(" + Value + ")") +
         ");");
  return true;
}

/// Rows of vectors whose elements follow each other in memory, too.
bool OpenMPEmitter::emitTileMove(const For &F) {
  const std::optional<TileNest> Nest = tileNest(F);
  if (!Nest || Nest->Set->Value->Kind != ExprKind::Load || !Guards.empty() ||
      Streaming.count(Nest->Set))
    return false;
  const Expr &Value = Nest->Set->Value, Target = load(Nest->Set->T, Nest->Set->Indices);
  const auto To = Stores.find(Target->T), From = Stores.find(Value->T);
  if (To == Stores.end() || From == Stores.end() || To->second.IsTile == From->second.IsTile)
    return false;
  const bool Into = To->second.IsTile;
  const Storage &Tile = Into ? To->second : From->second, &Memory = Into ? From->second : To->second;
  const Expr &InTile = Into ? Target : Value, &InMemory = Into ? Value : Target;
  const For *const Lanes = Nest->Loops.back(), *const Row = Nest->Loops.front();
  const bool HasRows = Row != Lanes;
  if (Nest->Loops.size() > 2 || Tile.Bounds.size() != 2 || Tile.LaneDim != 1 || Memory.Line ||
      Lanes->Exec != LoopExec::Lanes || Lanes->Width != Tile.Width || Lanes->InStep > 1 ||
      !coversTile(*Nest, Tile, InTile->Args) || InTile->Args[1]->Kind != ExprKind::Var ||
      InTile->Args[1]->V != Lanes->V || !isConstant(stepOf(InMemory, Lanes->V), 1))
    return false;
  const Expr Distance = HasRows ? stepOf(InMemory, Row->V) : intLit(0);
  Substitution First;
  for (const For *Loop : Nest->Loops) {
    if (mentions(Distance, Loop->V))
      return false;
    First.Vars[Loop->V] = intLit(0);
  }
  std::vector<Expr> Begin;
  for (const Expr &I : InMemory->Args)
    Begin.push_back(substitute(I, First));
  // A size that is known is a type: what is whole needs neither masks nor conditions.
  auto size = [&](const Expr &Size) {
    return constantValue(Size) ? "cpu::constant<" + text(Size) + ">()" : text(wide(Size));
  };
  const bool Whole = Into && hasWholeVectors(Memory, InMemory->Args, *Lanes);
  const std::string Place =
      addressText(Memory.Name, Memory.offsetOf(Begin)) + ", " + text(wide(Distance));
  W.line((Into ? "cpu::load_tile(" + Tile.Name + ", " + Place
               : "cpu::store_tile(" + Place + ", " + Tile.Name) +
         ", " + size(HasRows ? Row->Hi : intLit(1)) + ", " +
         size(Whole ? intLit((Tile.Bounds[1] + Tile.Width - 1) / Tile.Width * Tile.Width)
                    : Lanes->Hi) +
         ");");
  return true;
}

} // namespace septran::compiler
