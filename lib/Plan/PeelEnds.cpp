//===- PeelEnds.cpp - first and last iterations with other indices --------===//
#include "Plan/PeelEnds.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/LoopAnalysis.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>
#include <utility>

namespace septran::compiler {

namespace {

/// Iterations that are taken off an end at most: each is code of its own, or run one by one.
constexpr std::int64_t MostPeeled = 4;

bool isOfIntegers(const Expr &E) {
  bool Result = true;
  walkExprs(E, [&](const Expr &Part) {
    Result &= Part->Kind != ExprKind::Load && Part->Kind != ExprKind::Call &&
              (isInteger(Part->Type) || Part->Type == ScalarType::Bool);
  });
  return Result;
}

/// A < B for all values of variables, or for none.
std::optional<bool> isBelow(const Expr &A, const Expr &B, const Facts &Known) {
  if (provablyLessEqual(A + intLit(1), B, Known))
    return true;
  return provablyLessEqual(B, A, Known) ? std::optional(false) : std::nullopt;
}

std::optional<bool> holdsThroughout(BinaryOp Comparison, const Expr &A, const Expr &B,
                                    const Facts &Known) {
  auto Not = [](std::optional<bool> Holds) { return Holds ? std::optional(!*Holds) : Holds; };
  switch (Comparison) {
  case BinaryOp::Lt:
    return isBelow(A, B, Known);
  case BinaryOp::Gt:
    return isBelow(B, A, Known);
  case BinaryOp::Le:
    return Not(isBelow(B, A, Known));
  case BinaryOp::Ge:
    return Not(isBelow(A, B, Known));
  default:
    if (isBelow(A, B, Known).value_or(false) || isBelow(B, A, Known).value_or(false))
      return Comparison == BinaryOp::Ne;
    return std::nullopt;
  }
}

/// Branches that are always taken without their conditions; none of the others.
Block withoutDecided(Block B) {
  Block Result;
  for (Stmt &S : B) {
    for (Block *Nested : nestedBlocks(S))
      *Nested = withoutDecided(std::move(*Nested));
    auto *I = S.getIf<If>();
    const std::optional<std::int64_t> Taken = I ? constantValue(I->Condition) : std::nullopt;
    if (!Taken)
      Result.push_back(std::move(S));
    else
      for (Stmt &Inner : *Taken ? I->Then : I->Else)
        Result.push_back(std::move(Inner));
  }
  return Result;
}

/// The innermost loop `F`, and how many iterations at its ends index other elements.
class EndsOfLoop {
  const For &F;
  const std::vector<VarRef> &Around; ///< variables of loops around it
  std::map<VarRef, Expr> Lets; ///< integers that follow from the loop's variable alone
  std::set<VarRef> Changing;   ///< other scalars that the body sets
  std::int64_t First = 0, Last = 0;
  std::vector<Expr> From, Until; ///< where the iterations between begin and end, at run time
  std::vector<std::pair<Expr, bool>> Between; ///< conditions, and whether they hold there

  /// What E is computed from outside of the body, as far as that is known.
  Expr expanded(const Expr &E) const {
    return rewriteExpr(E, [&](const Expr &Part) -> Expr {
      const auto Let = Part->Kind == ExprKind::Var ? Lets.find(Part->V) : Lets.end();
      return Let == Lets.end() ? nullptr : expanded(Let->second);
    });
  }

  /// From where on E > 0 is decided otherwise; null if that is not one iteration.
  Expr threshold(const Expr &E) const {
    const std::optional<Affine> Form = affineForm(E);
    const std::optional<std::int64_t> By = Form ? coefficientOf(*Form, F.V) : std::nullopt;
    if (!By || (*By != 1 && *By != -1))
      return nullptr;
    // j + Rest > 0 from j = 1 - Rest on, Rest - j > 0 until j = Rest.
    const Expr V = varExpr(F.V);
    return *By == 1 ? intLit(1) - (E - V) : E + V;
  }

  /// Takes off the end to which one of the places, which serve alike, is closest.
  void addPlaces(std::initializer_list<Expr> Places) {
    std::optional<std::int64_t> Before, Behind;
    auto Closest = [](std::optional<std::int64_t> &Best, const Expr &Distance) {
      const std::optional<std::int64_t> D = constantValue(simplify(Distance));
      if (D && *D >= 0 && *D <= MostPeeled)
        Best = std::min(*D, Best.value_or(*D));
    };
    for (const Expr &Place : Places)
      if (Place) {
        Closest(Before, Place - F.Lo);
        Closest(Behind, F.Hi - Place);
      }
    if (Before)
      First = std::max(First, *Before);
    else if (Behind)
      Last = std::max(Last, *Behind);
  }

  void addCondition(const Expr &E) {
    if (E->Kind == ExprKind::Unary)
      return addCondition(E->Args[0]);
    if (E->Kind != ExprKind::Binary)
      return;
    const Expr &A = E->Args[0], &B = E->Args[1];
    switch (E->Bin) {
    case BinaryOp::Min:
    case BinaryOp::Max: // either will do where they are equal
      addPlaces({threshold(A - B), threshold(B - A)});
      break;
    case BinaryOp::And:
    case BinaryOp::Or:
      addCondition(A);
      addCondition(B);
      break;
    case BinaryOp::Lt:
    case BinaryOp::Ge:
      addPlaces({threshold(B - A)});
      break;
    case BinaryOp::Gt:
    case BinaryOp::Le:
      addPlaces({threshold(A - B)});
      break;
    case BinaryOp::Eq:
    case BinaryOp::Ne:
      addPlaces({threshold(A - B)});
      addPlaces({threshold(B - A)});
      break;
    default:
      break;
    }
  }

  /// That E > 0 in all iterations between. Places that differ between iterations of loops around
  /// would keep those out of lanes.
  bool addPlace(const Expr &E) {
    if (std::any_of(Around.begin(), Around.end(), [&](const VarRef &V) { return mentions(E, V); }))
      return false;
    const std::optional<Affine> Form = affineForm(E);
    const std::optional<std::int64_t> By = Form ? coefficientOf(*Form, F.V) : std::nullopt;
    if (!By || (*By != 1 && *By != -1))
      return false;
    (*By == 1 ? From : Until).push_back(cast(F.V->Type, simplify(threshold(E))));
    return true;
  }

  /// A condition that holds, or does not, between two places that are known at run time.
  void addBetween(const Expr &E, bool Holds) {
    if (E->Kind == ExprKind::Unary && E->Un == UnaryOp::Not)
      return addBetween(E->Args[0], !Holds);
    if (E->Kind != ExprKind::Binary || !isFixed(E))
      return;
    const Expr &A = E->Args[0], &B = E->Args[1];
    if (isComparison(E->Bin) && (!isSigned(A->Type) || !isSigned(B->Type)))
      return; // what is below zero goes on at the top
    bool Placed = false;
    switch (E->Bin) {
    case BinaryOp::And:
    case BinaryOp::Or:
      if (Holds == (E->Bin == BinaryOp::And)) {
        addBetween(A, Holds);
        addBetween(B, Holds);
      }
      return;
    case BinaryOp::Gt:
      Placed = addPlace(Holds ? A - B : B - A + intLit(1));
      break;
    case BinaryOp::Lt:
      Placed = addPlace(Holds ? B - A : A - B + intLit(1));
      break;
    case BinaryOp::Ge:
      Placed = addPlace(Holds ? A - B + intLit(1) : B - A);
      break;
    case BinaryOp::Le:
      Placed = addPlace(Holds ? B - A + intLit(1) : A - B);
      break;
    default:
      break;
    }
    if (Placed)
      Between.push_back({E, Holds});
  }

  /// Conditions under which elements are read, which keep the loop out of lanes.
  void addBranches() {
    std::vector<Expr> All, AtEnds;
    walkStmts(F.Body, [&](const Stmt &S) {
      if (const auto *I = S.getIf<If>(); I && readsMoving(I->Then))
        if (const Expr Condition = expanded(I->Condition); isFixed(Condition))
          collectTerms(Condition, All);
    });
    for (const Expr &E : All) {
      const auto [FirstBefore, LastBefore] =
          std::pair(std::exchange(First, 0), std::exchange(Last, 0));
      addCondition(E);
      if (First != 0 || Last != 0)
        AtEnds.push_back(E);
      else if (mentions(E, F.V))
        addBetween(E, true);
      First = std::max(First, FirstBefore);
      Last = std::max(Last, LastBefore);
    }
    if (!Between.empty()) // then the ends are, too
      for (const Expr &E : AtEnds)
        addBetween(E, true);
  }

  static void collectTerms(const Expr &E, std::vector<Expr> &Terms) {
    if (E->Kind != ExprKind::Binary || E->Bin != BinaryOp::And) {
      Terms.push_back(E);
      return;
    }
    collectTerms(E->Args[0], Terms);
    collectTerms(E->Args[1], Terms);
  }

  /// Iterations between places of run time, and those before and behind them.
  Block split(const Block &Body, Location Loc) const {
    const VarRef Begin = makeVar("begin", F.V->Type, VarKind::Scalar, F.V->Loc),
                 End = makeVar("end", F.V->Type, VarKind::Scalar, F.V->Loc);
    auto All = [&](Expr Bound, const std::vector<Expr> &Places, Expr (*Combine)(Expr, Expr)) {
      for (const Expr &Place : Places)
        Bound = Combine(Bound, Place);
      return Bound;
    };
    const Expr AtBegin = minExpr(All(simplify(F.Lo + intLit(First)), From, maxExpr), F.Hi);
    const Expr AtEnd = maxExpr(All(simplify(F.Hi - intLit(Last)), Until, minExpr), varExpr(Begin));
    Block Result;
    Result.push_back({Let{Begin, cast(F.V->Type, AtBegin), false}, Loc});
    Result.push_back({Let{End, cast(F.V->Type, AtEnd), false}, Loc});
    Result.push_back(several(Body, F.Lo, varExpr(Begin), Loc));
    For Middle = F;
    Middle.Lo = varExpr(Begin);
    Middle.Hi = varExpr(End);
    Middle.Body = Body;
    rewriteExprs(Middle.Body, [&](const Expr &E) -> Expr {
      for (const auto &[Condition, Holds] : Between)
        if (equal(E, Condition))
          return boolLit(Holds);
      return nullptr;
    });
    Middle.Body = decided(std::move(Middle.Body), varExpr(Begin), varExpr(End));
    Result.push_back({std::move(Middle), Loc});
    Result.push_back(several(Body, varExpr(End), F.Hi, Loc));
    return Result;
  }

  bool isFixed(const Expr &E) const {
    const std::vector<VarRef> Vars = collectVars(E);
    return isOfIntegers(E) && std::none_of(Vars.begin(), Vars.end(),
                                           [&](const VarRef &V) { return Changing.count(V) != 0; });
  }

  /// The place of a neighbour in a ring: the rest of one more or less than the loop's variable by
  /// its number of iterations. Null if E is no such rest.
  Expr placeInRing(const Expr &E) const {
    if (E->Kind != ExprKind::Binary || E->Bin != BinaryOp::Rem || !isConstant(F.Lo, 0) ||
        !provablyEqual(E->Args[1], F.Hi))
      return nullptr;
    const Expr V = cast(E->Type, varExpr(F.V)), &Of = E->Args[0], &Count = E->Args[1];
    const Expr Zero = intLit(0, E->Type), One = intLit(1, E->Type);
    const std::optional<std::int64_t> After = constantValue(simplify(Of - V)),
                                      Before = constantValue(simplify(V + Count - Of));
    if (After == 1)
      return select(binary(BinaryOp::Lt, Of, Count), Of, Zero);
    if (Before == 1)
      return select(binary(BinaryOp::Gt, V, Zero), V - One, Count - One);
    return nullptr;
  }

  /// Elements that the loop moves.
  bool readsMoving(const Block &B) const {
    bool Found = false;
    walkExprs(B, [&](const Expr &E) { Found |= E->Kind == ExprKind::Load && mentions(E, F.V); });
    return Found;
  }

  /// Conditions that hold, or do not, from the first to the last of these iterations.
  Block decided(Block Body, const Expr &Lo, const Expr &Hi) const {
    const Facts Known = {{F.V, {Lo, Hi}}};
    rewriteExprs(Body, [&](const Expr &E) -> Expr {
      if (E->Kind != ExprKind::Binary || !isInteger(E->Args[0]->Type) || !mentions(E, F.V))
        return nullptr;
      const Expr &A = E->Args[0], &B = E->Args[1];
      if (isComparison(E->Bin)) {
        const std::optional<bool> Holds = holdsThroughout(E->Bin, A, B, Known);
        return Holds ? boolLit(*Holds) : nullptr;
      }
      const bool Chooses = E->Bin == BinaryOp::Min || E->Bin == BinaryOp::Max;
      if (Chooses && provablyLessEqual(A, B, Known))
        return cast(E->Type, E->Bin == BinaryOp::Min ? A : B);
      if (Chooses && provablyLessEqual(B, A, Known))
        return cast(E->Type, E->Bin == BinaryOp::Min ? B : A);
      return nullptr;
    });
    Substitution Copied;
    return freshCopy(withoutDecided(std::move(Body)), Copied);
  }

  /// The iteration in which the variable is At, where there is one.
  Stmt single(const Block &Body, const Expr &At, Expr Condition, Location Loc) const {
    Substitution Here;
    Here.Vars[F.V] = At;
    Block Copy = freshCopy(Body, Here);
    rewriteExprs(Copy, [](const Expr &E) -> Expr {
      if (E->Kind != ExprKind::Load)
        return nullptr;
      std::vector<Expr> Indices;
      for (const Expr &Index : E->Args)
        Indices.push_back(simplify(Index));
      return withOperands(E, std::move(Indices));
    });
    walkStmts(Copy, [](Stmt &S) {
      if (auto *St = S.getIf<Store>())
        for (Expr &Index : St->Indices)
          Index = simplify(Index);
    });
    return {If{std::move(Condition), withoutDecided(std::move(Copy)), {}}, Loc};
  }

  Stmt several(const Block &Body, const Expr &Lo, const Expr &Hi, Location Loc) const {
    For Some = F;
    Some.V = makeVar(F.V->Name, F.V->Type, F.V->Kind, F.V->Loc);
    Some.Lo = Lo;
    Some.Hi = Hi;
    Substitution Here;
    Here.Vars[F.V] = varExpr(Some.V);
    Some.Body = freshCopy(Body, Here);
    return {std::move(Some), Loc};
  }

public:
  EndsOfLoop(const For &F, const std::vector<VarRef> &Around) : F(F), Around(Around) {
    walkStmts(F.Body, [&](const Stmt &S) {
      if (const auto *A = S.getIf<Assign>())
        Changing.insert(A->V);
      else if (const auto *L = S.getIf<Let>())
        Changing.insert(L->V);
    });
    for (const Stmt &S : F.Body)
      if (const auto *L = S.getIf<Let>();
          L && L->Value && !L->Mutable && isInteger(L->V->Type) && isFixed(L->Value)) {
        Lets[L->V] = cast(L->V->Type, L->Value);
        Changing.erase(L->V);
      }
  }

  /// The same as statements, with other indices at the ends; none if there are none.
  std::optional<Block> peeled(Location Loc) {
    for (const Access &A : accessesOf(F.Body))
      for (const Expr &Index : A.Indices)
        walkExprs(expanded(Index), [&](const Expr &E) {
          const Expr Place = placeInRing(E), &Chosen = Place ? Place : E;
          if (Chosen->Kind == ExprKind::Select && isFixed(Chosen->Args[0]))
            addCondition(Chosen->Args[0]);
          else if (Chosen->Kind == ExprKind::Binary && isFixed(Chosen) &&
                   (Chosen->Bin == BinaryOp::Min || Chosen->Bin == BinaryOp::Max))
            addCondition(Chosen);
        });
    addBranches();
    if (First == 0 && Last == 0 && Between.empty())
      return std::nullopt;
    Block Body;
    for (const Stmt &S : F.Body)
      if (const auto *L = S.getIf<Let>(); !L || !Lets.count(L->V))
        Body.push_back(S);
    rewriteExprs(Body, [&](const Expr &E) -> Expr {
      if (E->Kind == ExprKind::Var && Lets.count(E->V))
        return expanded(E);
      return nullptr;
    });
    rewriteExprs(Body, [&](const Expr &E) { return placeInRing(E); });
    if (!Between.empty())
      return split(Body, Loc);
    const Expr Begin = simplify(F.Lo + intLit(First)), End = simplify(F.Hi - intLit(Last));
    Block Result;
    if (First == 1)
      Result.push_back(single(Body, F.Lo, binary(BinaryOp::Lt, F.Lo, F.Hi), Loc));
    else if (First > 1)
      Result.push_back(several(Body, F.Lo, minExpr(Begin, F.Hi), Loc));
    For Middle = F;
    Middle.Lo = Begin;
    Middle.Hi = End;
    Middle.Body = decided(Body, Begin, End);
    Result.push_back({std::move(Middle), Loc});
    if (Last == 1)
      Result.push_back(single(Body, End, binary(BinaryOp::Le, Begin, End), Loc));
    else if (Last > 1)
      Result.push_back(several(Body, maxExpr(Begin, End), F.Hi, Loc));
    std::erase_if(Result, [](const Stmt &S) { // an end at which nothing is done
      const auto *I = S.getIf<If>();
      return I && I->Then.empty() && I->Else.empty();
    });
    return Result;
  }
};

void peelBlock(Block &B, const RegisterTiles &Tiles, std::vector<VarRef> &Around) {
  Block Result;
  for (Stmt &S : B) {
    const auto *F = S.getIf<For>();
    if (F)
      Around.push_back(F->V);
    for (Block *Nested : nestedBlocks(S))
      peelBlock(*Nested, Tiles, Around);
    if (F)
      Around.pop_back();
    bool Peels =
        F && F->Step == 1 && F->Exec == LoopExec::Plain && F->Spread.empty() && F->Group == 0;
    if (Peels) {
      walkStmts(F->Body, [&](const Stmt &Inner) { Peels &= !Inner.getIf<For>(); });
      for (const Access &A : accessesOf(F->Body))
        Peels &= !Tiles.count(A.T);
    }
    std::optional<Block> Parts = Peels ? EndsOfLoop(*F, Around).peeled(S.Loc) : std::nullopt;
    if (!Parts) {
      Result.push_back(std::move(S));
      continue;
    }
    for (Stmt &Part : *Parts)
      Result.push_back(std::move(Part));
  }
  B = std::move(Result);
}

} // namespace

void peelEnds(Block &Body, const RegisterTiles &Tiles) {
  std::vector<VarRef> Around;
  peelBlock(Body, Tiles, Around);
}

} // namespace septran::compiler
