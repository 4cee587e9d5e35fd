//===- OpenMPRows.cpp - pointers to the rows that a register tile reads ---===//
//
// A register tile multiplies what it reads from several rows of a matrix by vectors that it reads
// from another. Where the rows lie a run-time stride apart, each needs an address of its own in the
// loop that moves along them. Left to themselves, the C++ compilers compute these from the stride
// again in every iteration, or keep them in memory for the sake of loops around; both cost cycles
// that multiply-adds are to have. So the rows' addresses become an array of pointers before the
// loop, and each passes cpu::in_register, behind which its origin is out of sight.
//
// Where there are too many rows for as many pointers, cpu::rows_of_tile has one for each few of
// them, in the innermost loop alone.
//
// The same holds for where a register tile's operands begin: it moves with the loops around, and
// must not be held ready for all of them at once.
//
//===----------------------------------------------------------------------===//
#include "Emit/OpenMPEmitter.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"

#include "llvm/ADT/STLExtras.h"

namespace septran::compiler {

namespace {

/// More would not fit the registers for addresses, of which x86-64 has fifteen, beside all else.
constexpr std::int64_t MostRows = 8;
/// Pointers of cpu::rows_of_tile. With more of them clang++ moves sums to the stack.
constexpr std::int64_t MostGroups = 5;

/// Whether an index of the load depends on V.
bool mentionsInArgs(const Expr &Load, const VarRef &V) {
  return llvm::any_of(Load->Args, [&](const Expr &Index) { return mentions(Index, V); });
}

} // namespace

bool isUnrolledTile(const For &F) {
  return F.Exec == LoopExec::Unrolled && F.StaticTrip > 1 && F.Step == 1 &&
         (isConstant(F.Lo, 0) || isPart(F));
}

bool isWhole(const For &F) { return isPart(F) || isConstant(F.Hi, F.StaticTrip); }

/// Whether a scope with that body works on one register tile, and has no loop over several.
bool OpenMPEmitter::worksOnTile(const Block &B) const {
  bool Tile = false, Several = false;
  walkStmts(B, [&](const Stmt &S) {
    const auto *F = S.getIf<For>();
    if (!F)
      return;
    Tile |= F->StaticTrip != 0;
    walkStmts(F->Body, [&](const Stmt &Inner) {
      const auto *A = Inner.getIf<Alloc>();
      Several |= Inner.getIf<Scope>() || (A && !arrayElements(*A));
    });
  });
  return Tile && !Several;
}

/// Whether elements become floats by shifts. With addresses at hand g++ does that for several rows
/// at once, for which it has no registers left.
bool OpenMPEmitter::shiftsElements(const Block &B) {
  bool Found = false;
  walkExprs(B, [&](const Expr &E) {
    Found |= E->Kind == ExprKind::Load && E->T->Element == ScalarType::BF16;
  });
  return Found;
}

std::string OpenMPEmitter::placeDefinition(const std::string &Name, const TensorRef &T,
                                           const std::string &Base, const Expr &Offset) const {
  if (!OnTile)
    return CxxEmitter::placeDefinition(Name, T, Base, Offset);
  return "auto *const " + Name + " = cpu::in_register(" + addressText(Base, Offset) + ");";
}

/// How far the load moves with the variable.
Expr OpenMPEmitter::stepOf(const Expr &Load, const VarRef &V) const {
  Substitution Next;
  Next.Vars[V] = varExpr(V) + intLit(1);
  std::vector<Expr> Indices;
  for (const Expr &I : Load->Args)
    Indices.push_back(substitute(I, Next));
  const Storage &S = storageFor(Load->T);
  return simplify(S.offsetOf(Indices) - S.offsetOf(Load->Args));
}

OpenMPEmitter::RowPlace OpenMPEmitter::rowPlace(const Expr &Load, const VarRef &Row) const {
  Substitution First;
  First.Vars[Row] = intLit(0);
  RowPlace Place;
  for (const Expr &I : Load->Args)
    Place.InFirst.push_back(substitute(I, First));
  const Storage &S = storageFor(Load->T);
  Place.Distance = wide(S.offsetOf(Load->Args) - S.offsetOf(Place.InFirst));
  return Place;
}

std::optional<OpenMPEmitter::RowPointers>
OpenMPEmitter::rowsOf(const Expr &Load, const std::vector<const For *> &Tile,
                      const std::set<VarRef> &Moving) const {
  if (!Stores.count(Load->T))
    return std::nullopt;
  const Storage &S = storageFor(Load->T);
  bool Split = S.IsTile || S.Line;
  for (const Storage::Panel &Panel : S.Panels)
    Split |= Panel.Width != 0;
  if (Split)
    return std::nullopt;
  RowPointers Found;
  for (const For *F : Tile)
    for (const Expr &I : Load->Args)
      if (mentions(I, F->V)) {
        if (Found.Loop && Found.Loop != F)
          return std::nullopt;
        Found.Loop = F;
      }
  if (!Found.Loop)
    return std::nullopt;
  const VarRef Row = Found.Loop->V;
  Found.T = Load->T;
  Found.Distance = rowPlace(Load, Row).Distance;
  for (const VarRef &V : Moving)
    if (V != Row && mentions(Found.Distance, V))
      return std::nullopt;
  Substitution Second;
  Second.Vars[Row] = intLit(1);
  Found.Step = simplify(substitute(Found.Distance, Second));
  if (constantValue(Found.Step) && isWhole(*Found.Loop))
    return std::nullopt; // a constant distance is part of the instruction
  return Found;
}

/// Of what register tiles in F read, the rows that need an address of their own. Empty where F is
/// no loop of a leaf.
std::vector<OpenMPEmitter::RowPointers> OpenMPEmitter::rowsIn(const For &F) const {
  std::vector<const For *> Tile;
  std::set<VarRef> Moving{F.V}, InLanes; // what lanes load has one address for all of them
  bool IsLeaf = true;
  walkStmts(F.Body, [&](const Stmt &S) {
    IsLeaf &= !S.getIf<Scope>();
    if (const auto *Inner = S.getIf<For>()) {
      Moving.insert(Inner->V);
      if (isUnrolledTile(*Inner))
        Tile.push_back(Inner);
      if (Inner->Exec == LoopExec::Lanes)
        InLanes.insert(Inner->V);
    } else if (const auto *L = S.getIf<Let>()) {
      InLanes.insert(L->V); // perhaps
    }
  });
  std::vector<RowPointers> Found;
  if (!IsLeaf || Tile.empty() || Shifts)
    return Found;
  walkExprs(F.Body, [&](const Expr &E) {
    if (E->Kind != ExprKind::Load)
      return;
    for (const VarRef &V : InLanes)
      if (mentionsInArgs(E, V))
        return;
    std::optional<RowPointers> R = rowsOf(E, Tile, Moving);
    if (!R)
      return;
    for (const RowPointers &Other : Found)
      if (Other.T == R->T && Other.Loop == R->Loop)
        return;
    Found.push_back(std::move(*R));
  });
  return Found;
}

/// Whether all rows are as far apart as the first two.
bool OpenMPEmitter::followsRow(const RowPointers &R) {
  return isConstant(simplify(R.Distance - R.Step * varExpr(R.Loop->V)), 0);
}

/// Before F, a loop of a leaf in which register tiles are worked on.
void OpenMPEmitter::emitRowPointers(const For &F) {
  std::vector<RowPointers> Found = rowsIn(F);
  std::int64_t Count = 0;
  for (const RowPointers &R : Found)
    Count += R.Loop->StaticTrip;
  if (Count > MostRows)
    return;
  for (RowPointers &R : Found) {
    R.Name = Names.fresh(R.T->Name + "_rows");
    const std::string Trip = std::to_string(R.Loop->StaticTrip), First = storageFor(R.T).Name;
    const std::optional<std::int64_t> Step = constantValue(R.Step);
    if (followsRow(R)) {
      W.line("const auto " + R.Name + " = cpu::pointers_to_rows<" + Trip + ">(" + First + ", " +
             (Step ? "cpu::constant<" + std::to_string(*Step) + ">()" : text(wide(R.Step))) +
             (isWhole(*R.Loop) ? "" : ", " + text(wide(R.Loop->Hi))) + ");");
      Rows.push_back(R);
      continue;
    }
    Substitution Here;
    VarRef Row = makeVar("row", ScalarType::I64, VarKind::Loop);
    Printer.keepInRegister(Row);
    Here.Vars[R.Loop->V] =
        isWhole(*R.Loop) ? varExpr(Row) : minExpr(varExpr(Row), R.Loop->Hi - intLit(1));
    W.line("const " + std::string(cxxName(R.T->Element)) + " *" + R.Name + "[" + Trip + "];");
    Changing.push_back(R.Name);
    W.line("#pragma GCC unroll 64");
    const std::string V = Names.define(Row);
    W.open("for (std::ptrdiff_t " + V + " = 0; " + V + " < " + Trip + "; ++" + V + ")");
    W.line(R.Name + "[" + V + "] = cpu::in_register(" +
           addressText(First, wide(substitute(R.Distance, Here))) + ");");
    W.close();
    Rows.push_back(R);
  }
}

/// Before F, an innermost loop over parts of tiles in which nothing but rows of these tensors lies
/// a run-time stride apart, for more rows than there are registers for pointers. With another such
/// stride clang++ reads all rows first, and has no registers left for the sums.
void OpenMPEmitter::emitGroupedRows(const For &F, const std::map<TensorRef, Storage> &Held) {
  for (RowPointers &R : rowsIn(F)) {
    const std::int64_t Count = R.Loop->StaticTrip,
                       RowsOfPointer = byteSize(R.T->Element) > 4 ? 2 : 3;
    if (!Held.count(R.T) || !isPart(*R.Loop) || Count <= MostRows ||
        Count > MostGroups * RowsOfPointer)
      continue;
    if (!followsRow(R))
      continue;
    R.Grouped = true;
    R.Name = Names.fresh(R.T->Name + "_rows");
    W.line("const auto " + R.Name + " = cpu::rows_of_tile<" + std::to_string(Count) + ">(" +
           storageFor(R.T).Name + ", " + text(wide(R.Step)) + ");");
    Rows.push_back(std::move(R));
  }
}

std::pair<Expr, std::int64_t> OpenMPEmitter::alongRow(const Expr &Load,
                                                      const RowPointers &R) const {
  const Expr Along = storageFor(R.T).offsetOf(clamped(rowPlace(Load, R.Loop->V).InFirst));
  std::optional<Affine> Form = affineForm(Along);
  if (!Form)
    return {Along, 0};
  const std::int64_t Constant = std::exchange(Form->Constant, 0);
  return {toExpr(*Form), Constant};
}

/// The innermost loop along the rows has one index for all of them, out of sight as they are: g++
/// would rather move each pointer by itself, and has no registers for that beside all else. clang++
/// would compute where each row begins in loops around.
void OpenMPEmitter::emitRowIndices(const For &F) {
  bool IsInnermost = true;
  walkStmts(F.Body, [&](const Stmt &S) {
    const auto *Inner = S.getIf<For>();
    IsInnermost &= !Inner || Inner->StaticTrip != 0;
  });
  if (!IsInnermost)
    return;
  const DefinedSymbols Inside = definedIn(F.Body);
  auto define = [&](const std::string &Name, const Expr &Value) {
    VarRef Index = makeVar(Name + "_at", ScalarType::I64, VarKind::Scalar);
    W.line("const std::ptrdiff_t " + Names.define(Index) + " = cpu::in_register(" +
           text(wide(Value)) + ");");
    return Index;
  };
  walkExprs(F.Body, [&](const Expr &E) {
    const RowPointers *R =
        E->Kind == ExprKind::Load && mentionsInArgs(E, F.V) ? pointersFor(E) : nullptr;
    if (!R || R->Grouped ||
        !constantValue(stepOf(E, F.V))) // others would be multiplied by every time
      return;
    const Expr Along = alongRow(E, *R).first;
    const std::string Key = toString(Along);
    if (RowIndices.count(Key) || RowVariables.Vars.count(F.V))
      return;
    if (Along->Kind == ExprKind::Var)
      RowIndices[Key] = define(F.V->Name, Along);
    else if (!mentionsAny(Along, Inside))
      RowIndices[Key] = define(R->T->Name, Along);
    else
      RowVariables.Vars[F.V] = varExpr(define(F.V->Name, varExpr(F.V)));
  });
}

const OpenMPEmitter::RowPointers *OpenMPEmitter::pointersFor(const Expr &Load) const {
  for (const RowPointers &R : Rows) {
    const bool OfRow = R.T == Load->T && mentionsInArgs(Load, R.Loop->V);
    if (OfRow && toString(rowPlace(Load, R.Loop->V).Distance) == toString(R.Distance))
      return &R;
  }
  return nullptr;
}

std::string OpenMPEmitter::elementOfRow(const Expr &Load) const {
  const RowPointers *R = pointersFor(Load);
  if (!R)
    return "";
  const auto [Along, Constant] = alongRow(Load, *R);
  const auto Known = RowIndices.find(toString(Along));
  const Expr Index =
      Known != RowIndices.end() ? varExpr(Known->second) : substitute(Along, RowVariables);
  return R->Name + "[" + Names.name(R->Loop->V) + "][" + text(wide(Index + intLit(Constant))) + "]";
}

} // namespace septran::compiler
