//===- Records.cpp - lanes that access fields of records ------------------===//
#include "Plan/Records.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/LaneLegality.h"
#include "Plan/LoopAnalysis.h"
#include "Plan/Vectorize.h"

#include <algorithm>

namespace septran::compiler {

namespace {

/// Loads that are made whatever conditions say.
void collectLoads(const Expr &E, std::vector<Expr> &Loads) {
  if (!E)
    return;
  if (E->Kind == ExprKind::Load)
    Loads.push_back(E);
  const bool Decides =
      E->Kind == ExprKind::Select ||
      (E->Kind == ExprKind::Binary && (E->Bin == BinaryOp::And || E->Bin == BinaryOp::Or));
  for (const Expr &A : E->Args) {
    collectLoads(A, Loads);
    if (Decides) // by the first
      break;
  }
}

} // namespace

Records::Records(const Block &Body, const VarRef &Lane, const TensorTable &Tensors, bool Rows)
    : Tensors(Tensors), Lane(Lane) {
  walkStmts(Body, [&](const Stmt &S) {
    if (const auto *A = S.getIf<Assign>())
      Assigned.insert(A->V);
  });
  if (Rows)
    findRows(Body);
  findWhole(Body, nullptr);
  findGroups(Body);
}

Records::Key Records::key(const TensorRef &T, const Record &R) {
  return {T, toString(load(T, R.First))};
}

/// The constant last index, where lanes are along the rows of the last dimension.
std::optional<unsigned> Records::fieldOfRow(const TensorRef &T,
                                            const std::vector<Expr> &Indices) const {
  const size_t Rank = Indices.size();
  if (Rank < 2 || !isLastInMemory(T, int(Rank) - 1, Tensors) ||
      coefficient(Indices[Rank - 2], Lane) != 1)
    return std::nullopt;
  for (size_t Dim = 0; Dim + 2 < Rank; ++Dim)
    if (mentions(Indices[Dim], Lane))
      return std::nullopt;
  const std::optional<std::int64_t> Field = constantValue(Indices.back());
  return Field && *Field >= 0 && *Field < MostCloseBy ? std::optional(unsigned(*Field))
                                                      : std::nullopt;
}

const RowsOfTensor *Records::rowsOf(const TensorRef &T) const {
  const auto It =
      std::find_if(Rows.begin(), Rows.end(), [&](const RowsOfTensor &Row) { return Row.T == T; });
  return It == Rows.end() ? nullptr : &*It;
}

/// Rows are as long as constants say that index them.
void Records::findRows(const Block &Body) {
  const std::vector<Access> Accesses = accessesOf(Body);
  for (const Access &A : Accesses)
    if (fieldOfRow(A.T, A.Indices) && !rowsOf(A.T))
      Rows.push_back({A.T, int(A.Indices.size()) - 2, 1});
  for (RowsOfTensor &Row : Rows)
    for (const Access &A : Accesses)
      if (const auto Last = A.T == Row.T ? constantValue(A.Indices.back()) : std::nullopt)
        Row.Length = std::max(Row.Length, *Last + 1);
  Rows.erase(std::remove_if(Rows.begin(), Rows.end(),
                            [](const RowsOfTensor &Row) { return !isCloseBy(Row.Length); }),
             Rows.end());
}

std::optional<Record> Records::place(const TensorRef &T, const std::vector<Expr> &Indices) const {
  Record R;
  R.First = Indices;
  const RowsOfTensor *Row = rowsOf(T);
  if (const std::optional<unsigned> Field = fieldOfRow(T, Indices); Field && Row) {
    R.RowsOf = Row->Dim;
    R.Size = unsigned(Row->Length);
    R.Field = *Field;
    R.First.back() = intLit(0);
    return R;
  }
  if (Indices.empty() || !isLastInMemory(T, int(Indices.size()) - 1, Tensors))
    return std::nullopt;
  for (size_t Dim = 0; Dim + 1 < Indices.size(); ++Dim)
    if (mentions(Indices[Dim], Lane))
      return std::nullopt;
  std::optional<Affine> Last = affineForm(Indices.back());
  const std::optional<std::int64_t> Step = Last ? coefficientOf(*Last, Lane) : std::nullopt;
  if (!Step || !isCloseBy(*Step))
    return std::nullopt;
  R.Size = unsigned(*Step);
  R.Field = unsigned((Last->Constant % *Step + *Step) % *Step);
  Last->Constant -= R.Field;
  R.First.back() = toExpr(*Last);
  return R;
}

/// Else the same text may mean another record.
bool Records::isFixed(const Record &R) const {
  bool Fixed = true;
  for (const Expr &I : R.First)
    walkExprs(I, [&](const Expr &E) {
      Fixed &= E->Kind != ExprKind::Load && !(E->Kind == ExprKind::Var && Assigned.count(E->V));
    });
  return Fixed;
}

std::optional<Record> Records::find(const TensorRef &T, const std::vector<Expr> &Indices) const {
  std::optional<Record> R = place(T, Indices);
  if (R)
    R->Whole = Whole.count(key(T, *R)) != 0;
  return R;
}

/// What every run of B accesses; `Each` is the variable of the loop whose body it is, null
/// outermost.
void Records::findWhole(const Block &B, const VarRef &Each) {
  std::map<Key, std::set<unsigned>> Fields;
  std::map<Key, unsigned> Sizes;
  auto Add = [&](const TensorRef &T, const std::vector<Expr> &Indices) {
    const std::optional<Record> R = place(T, Indices);
    // Other accesses to the record may lie outside of a loop that has no iteration.
    const bool OfLoop = !Each || std::any_of(Indices.begin(), Indices.end(),
                                             [&](const Expr &I) { return mentions(I, Each); });
    if (!R || !OfLoop || !isFixed(*R))
      return;
    Fields[key(T, *R)].insert(R->Field);
    Sizes[key(T, *R)] = R->Size;
  };
  for (const Stmt &S : B) {
    std::vector<Expr> Loads;
    forEachExpr(S, [&](const Expr &E) { collectLoads(E, Loads); });
    for (const Expr &L : Loads)
      Add(L->T, L->Args);
    if (const auto *St = S.getIf<Store>())
      Add(St->T, St->Indices);
    if (const auto *F = S.getIf<For>())
      findWhole(F->Body, F->V);
  }
  for (const auto &[Of, Accessed] : Fields)
    if (Accessed.count(0) && Accessed.count(Sizes.at(Of) - 1))
      Whole.insert(Of);
}

/// Provably other elements, whatever the lanes.
bool Records::areApart(const TensorRef &T, const std::vector<Expr> &A, const TensorRef &U,
                       const std::vector<Expr> &B) const {
  if (Tensors.root(T) != Tensors.root(U))
    return true;
  if (T != U)
    return false;
  for (size_t Dim = 0; Dim < A.size(); ++Dim) {
    const std::optional<std::int64_t> Distance = constantValue(simplify(A[Dim] - B[Dim]));
    if (Distance && *Distance != 0 && !mentions(A[Dim], Lane))
      return true;
  }
  const std::optional<Record> Left = place(T, A), Right = place(U, B);
  return Left && Right && key(T, *Left) == key(U, *Right) && Left->Field != Right->Field;
}

void Records::findGroups(const Block &B) {
  std::map<Key, std::map<unsigned, const Store *>> Open; ///< by their fields
  auto Close = [&](const TensorRef &T, const std::vector<Expr> &Indices) {
    for (auto It = Open.begin(); It != Open.end();) {
      const bool Meets = std::any_of(It->second.begin(), It->second.end(), [&](const auto &Each) {
        return !areApart(Each.second->T, Each.second->Indices, T, Indices);
      });
      It = Meets ? Open.erase(It) : std::next(It);
    }
  };
  for (const Stmt &S : B) {
    for (const Block *Nested : nestedBlocks(S))
      findGroups(*Nested);
    if (!S.getIf<Let>() && !S.getIf<Assign>() && !S.getIf<Store>()) {
      Open.clear();
      continue;
    }
    walkExprs(S, [&](const Expr &E) {
      if (E->Kind == ExprKind::Load)
        Close(E->T, E->Args);
    });
    const auto *St = S.getIf<Store>();
    if (!St)
      continue;
    Close(St->T, St->Indices);
    const std::optional<Record> R = place(St->T, St->Indices);
    if (!R || !isFixed(*R))
      continue;
    auto [It, New] = Open.try_emplace(key(St->T, *R));
    It->second[R->Field] = St;
    if (It->second.size() < R->Size)
      continue;
    std::vector<const Store *> Group;
    for (const auto &[Field, Each] : It->second) {
      GroupOf[Each] = Groups.size();
      Group.push_back(Each);
    }
    Groups.push_back(std::move(Group));
    Open.erase(It);
  }
}

const std::vector<const Store *> *Records::storedWith(const Store *S) const {
  const auto It = GroupOf.find(S);
  return It == GroupOf.end() ? nullptr : &Groups[It->second];
}

bool Records::isStoredWhole(const TensorRef &T, const std::vector<Expr> &Indices) const {
  const std::optional<Record> R = place(T, Indices);
  return R &&
         std::any_of(Groups.begin(), Groups.end(), [&](const std::vector<const Store *> &Group) {
           const Store &First = *Group.front();
           const std::optional<Record> Of = place(First.T, First.Indices);
           return Of && key(T, *R) == key(First.T, *Of);
         });
}

} // namespace septran::compiler
