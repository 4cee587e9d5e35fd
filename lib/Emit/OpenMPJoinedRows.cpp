//===- OpenMPJoinedRows.cpp - rows that follow each other in memory -------===//
//
// Rows of a whole tensor lie one behind the other. Loops that walk all elements of some then run as one
// over a single long row: a vector need not end with a row, of which an image has many short ones. Where rows
// have gaps between them, such as those of a block, the loops are what they were. Which it is decides
// in the program that is generated, by the strides.
//
//===----------------------------------------------------------------------===//
#include "Emit/OpenMPEmitter.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/Accumulators.h"
#include "Plan/LoopAnalysis.h"

#include <algorithm>

namespace septran::compiler {

namespace {

/// F and the loops directly in each other inside it down to one in lanes; none if there is no such nest.
std::vector<const For *> loopsAroundLanes(const For &F) {
  std::vector<const For *> Loops{&F};
  while (Loops.back()->Exec == LoopExec::Plain) {
    const Block &Body = Loops.back()->Body;
    const For *Inner = Body.size() == 1 ? Body.front().getIf<For>() : nullptr;
    if (!Inner)
      return {};
    Loops.push_back(Inner);
  }
  if (Loops.back()->Exec != LoopExec::Lanes)
    Loops.clear();
  return Loops;
}

/// How often one of the loops runs depends on where another one is.
bool isTriangular(const std::vector<const For *> &Loops) {
  return std::any_of(Loops.begin(), Loops.end(), [&](const For *L) {
    return std::any_of(Loops.begin(), Loops.end(),
                       [&](const For *Around) { return mentions(L->Hi, Around->V); });
  });
}

/// The loops move the last indices, one each, in their order.
bool walksRows(const std::vector<Expr> &Indices, const std::vector<const For *> &Loops) {
  if (Indices.size() < Loops.size())
    return false;
  const size_t First = Indices.size() - Loops.size();
  for (size_t I = 0; I < Loops.size(); ++I)
    if (Indices[First + I]->Kind != ExprKind::Var || Indices[First + I]->V != Loops[I]->V)
      return false;
  return true;
}

/// What the loops walk, in memory order; none if they do anything else with their variables.
std::set<TensorRef> tensorsWalked(const std::vector<const For *> &Loops) {
  const Block &Body = Loops.back()->Body;
  std::set<TensorRef> Result;
  size_t Walks = 0, Uses = 0;
  auto Add = [&](const TensorRef &T, const std::vector<Expr> &Indices) {
    if (walksRows(Indices, Loops)) {
      Result.insert(T);
      ++Walks;
    }
  };
  walkExprs(Body, [&](const Expr &E) {
    if (E->Kind == ExprKind::Load)
      Add(E->T, E->Args);
    Uses += E->Kind == ExprKind::Var &&
            std::any_of(Loops.begin(), Loops.end(), [&](const For *L) { return L->V == E->V; });
  });
  walkStmts(Body, [&](const Stmt &S) {
    if (const auto *St = S.getIf<Store>())
      Add(St->T, St->Indices);
  });
  return Uses == Walks * Loops.size() ? Result : std::set<TensorRef>();
}

} // namespace

/// From the elements of one row to those of the next, Dims dimensions from the end.
Expr OpenMPEmitter::distanceOfRows(const TensorRef &T, size_t Dims) const {
  const std::vector<Expr> &Strides = storageFor(T).Strides;
  return wide(Strides[Strides.size() - Dims]);
}

Expr OpenMPEmitter::endOf(const For &F) const {
  const auto Found = Ends.find(&F);
  return Found == Ends.end() ? F.Hi : Found->second;
}

/// The loops from F inwards that are one over a single row where rows follow each other.
std::optional<OpenMPEmitter::JoinedRows> OpenMPEmitter::rowsToJoin(const For &F) const {
  JoinedRows Rows{loopsAroundLanes(F), {}};
  if (Rows.Loops.size() < 2 || Ends.count(&F) || InPart || !Guards.empty() ||
      isTriangular(Rows.Loops))
    return std::nullopt;
  for (const For *L : Rows.Loops) {
    const bool InLanes = L == Rows.Loops.back();
    if (!isConstant(L->Lo, 0) || L->Step != 1 || L->StaticTrip || !L->Spread.empty() ||
        (!InLanes &&
         (unrollOf(*L) || analyzeLoop(*L, Tensors).Class == LoopClass::Sequential)))
      return std::nullopt;
  }
  if (!laneReductions(*Rows.Loops.back()).empty() && sumsThroughout(F) != Rows.Loops.back())
    return std::nullopt;
  Rows.Tensors = tensorsWalked(Rows.Loops);
  const Expr Row = wide(Rows.Loops.back()->Hi);
  // A buffer whose rows have a known distance holds a block, and the mapping chose how long its
  // rows are. Those of a padded one have gaps.
  auto MayFollow = [&](const TensorRef &T) {
    const Expr Distance = distanceOfRows(T, 2);
    for (const auto &[Value, Name] : storageFor(T).NamedStrides)
      if (provablyEqual(Distance, Name) && constantValue(wide(Value - Row)).value_or(0) != 0)
        return false;
    return storageFor(T).hasPlainRows() &&
           (constantValue(Distance) ? provablyEqual(Distance, Row) : !constantValue(Row));
  };
  if (Rows.Tensors.empty() || !std::all_of(Rows.Tensors.begin(), Rows.Tensors.end(), MayFollow))
    return std::nullopt;
  return Rows;
}

/// Where the loops end: as they say, or, from the innermost on as far as rows follow each other, those around
/// after one iteration, in which the innermost takes all rows.
void OpenMPEmitter::emitJoinedRows(const JoinedRows &Rows) {
  auto Named = [&](const std::string &Name, ScalarType Type, const std::string &Value) {
    const VarRef V = makeVar(Name, Type, VarKind::Scalar);
    const std::string Spelled = Type == ScalarType::Bool ? "bool" : "std::ptrdiff_t";
    W.line("const " + Spelled + " " + Names.define(V) + " = " + Value + ";");
    return varExpr(V);
  };
  const For &InLanes = *Rows.Loops.back();
  Expr Row = wide(InLanes.Hi);
  std::string Follow; // where the rows looked at so far do; empty: always
  for (size_t I = Rows.Loops.size() - 1; I-- > 0;) {
    const For &Around = *Rows.Loops[I];
    const Expr Count = wide(Around.Hi);
    std::set<std::string> Conditions;
    for (const TensorRef &T : Rows.Tensors)
      if (const std::string Distance = text(distanceOfRows(T, Rows.Loops.size() - I));
          Distance != text(Row))
        Conditions.insert(Distance + " == " + text(Row));
    if (Follow.empty() && Conditions.empty()) {
      Ends[&Around] = intLit(1);
      Row = simplify(Count * Row);
      continue;
    }
    for (const std::string &C : Conditions)
      Follow += (Follow.empty() ? "" : " && ") + C;
    if (I + 2 == Rows.Loops.size())
      W.line("// rows that follow each other in memory are walked as one");
    const Expr Joined = Named("joined", ScalarType::Bool, Follow);
    Follow = text(Joined);
    Ends[&Around] = Named(Around.V->Name + "_end", ScalarType::I64, Follow + " ? 1 : " + text(Count));
    Row = Named(InLanes.V->Name + "_end", ScalarType::I64,
                Follow + " ? " + text(Count * Row) + " : " + text(Row));
  }
  Ends[&InLanes] = Row;
  emitLoop(*Rows.Loops.front());
  for (const For *L : Rows.Loops)
    Ends.erase(L);
}

} // namespace septran::compiler
