//===- TileConditions.cpp - conditions around sums in registers -----------===//
#include "Plan/TileConditions.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/LoopAnalysis.h"
#include "Plan/LoopNest.h"

#include <algorithm>
#include <set>
#include <utility>

namespace septran::compiler {

namespace {

bool hasOneBranch(const If &I) { return I.Else.empty() && !I.ChoosesSizes && !I.ChoosesWhole; }

/// Nothing in the block changes what the condition says.
bool staysSame(const Expr &Condition, const Block &B, const TensorTable &Tensors) {
  const std::set<TensorRef> Written = effectsOf(B, Tensors).Writes;
  bool Same = true;
  walkExprs(Condition, [&](const Expr &E) {
    Same &= E->Kind != ExprKind::Load || !Written.count(Tensors.root(E->T));
  });
  walkStmts(B, [&](const Stmt &S) {
    const auto *A = S.getIf<Assign>();
    Same &= !A || !mentions(Condition, A->V);
  });
  return Same;
}

bool loads(const Expr &E) {
  bool Found = false;
  walkExprs(E, [&](const Expr &Part) { Found |= Part->Kind == ExprKind::Load; });
  return Found;
}

/// The loops whose bounds may be looked at where the condition does not hold, and inside which a
/// tile is written; none if there are others.
Nest loopsToEnter(If &I, const TensorTable &Tensors, const RegisterTiles &Tiles) {
  For *F = I.Then.size() == 1 ? I.Then.front().getIf<For>() : nullptr;
  if (!F || !hasOneBranch(I) || !staysSame(I.Condition, I.Then, Tensors))
    return {};
  Nest N = perfectNest(*F);
  const auto Accesses = accessesOf(N.back()->Body);
  const bool WritesTile = std::any_of(Accesses.begin(), Accesses.end(), [&](const Access &A) {
    return A.Write && Tiles.count(A.T) != 0;
  });
  const bool MayEnter = std::none_of(N.begin(), N.end(), [](const For *L) {
    return !L->Spread.empty() || loads(L->Lo) || loads(L->Hi);
  });
  return WritesTile && MayEnter && !holdsLoops(N.back()->Body) ? N : Nest();
}

//===--- outwards --------------------------------------------------------------------===//

bool isTileLoop(const For &L) { return L.StaticTrip != 0 && isConstant(L.Lo, 0) && L.Step == 1; }

/// E moves by the same from one iteration to the next. Unsigned numbers may wrap on the way.
bool isLinear(const Expr &E, const VarRef &V) {
  bool Wraps = false;
  walkExprs(E, [&](const Expr &Part) {
    Wraps |= mentions(Part, V) && !(isInteger(Part->Type) && isSigned(Part->Type));
  });
  if (Wraps)
    return false;
  Substitution Next;
  Next.Vars[V] = varExpr(V) + intLit(1, V->Type);
  return !mentions(simplify(substitute(E, Next) - E), V);
}

/// It holds in between if it does at both ends of a range.
bool isConvex(const Expr &E, const VarRef &V) {
  if (!mentions(E, V))
    return true;
  if (E->Kind != ExprKind::Binary)
    return false;
  switch (E->Bin) {
  case BinaryOp::And:
    return isConvex(E->Args[0], V) && isConvex(E->Args[1], V);
  case BinaryOp::Lt:
  case BinaryOp::Le:
  case BinaryOp::Gt:
  case BinaryOp::Ge:
    return isLinear(E->Args[0], V) && isLinear(E->Args[1], V);
  default:
    return false;
  }
}

/// At the ends of all these loops over a tile.
Expr holdsAtEnds(const Expr &Condition, const std::vector<const For *> &Loops) {
  std::vector<Expr> All = {Condition};
  for (const For *L : Loops) {
    std::vector<Expr> Ends;
    for (const Expr &E : All)
      for (std::int64_t End : {std::int64_t(0), L->StaticTrip - 1}) {
        Substitution At;
        At.Vars[L->V] = intLit(End, L->V->Type);
        Ends.push_back(simplify(substitute(E, At)));
      }
    All = std::move(Ends);
  }
  Expr Result = All.front();
  for (size_t I = 1; I < All.size(); ++I)
    Result = binary(BinaryOp::And, Result, All[I]);
  return Result;
}

/// What is inside loop `At` of the nest, which is in `Around` or is its body.
Block &insideOf(Block &Around, const Nest &N, size_t At) { return At ? N[At - 1]->Body : Around; }

/// The block becomes what is done where the condition holds.
void enclose(Block &B, const Expr &Condition, Block Else) {
  const Location Loc = B.front().Loc;
  Block Then = std::exchange(B, {});
  B.push_back({If{Condition, std::move(Then), std::move(Else)}, Loc});
}

void lift(Block &Around, Nest N, const TensorTable &Tensors) {
  If *Asked = N.back()->Body.size() == 1 ? N.back()->Body.front().getIf<If>() : nullptr;
  if (!Asked || !hasOneBranch(*Asked) || holdsLoops(Asked->Then) ||
      !staysSame(Asked->Condition, Asked->Then, Tensors) ||
      std::none_of(N.begin(), N.end(), [](const For *L) { return L->StaticTrip != 0; }))
    return;
  const Expr Condition = Asked->Condition;
  size_t Out = N.size(),
         Known = 0; ///< loops that may be around it: for all of a tile, and each row
  std::vector<const For *> Rows;
  bool Saves = false; ///< it is asked before a loop over more than a tile
  for (; Out > 0; --Out) {
    const For &L = *N[Out - 1];
    if (mentions(Condition, L.V)) {
      Known = std::max(Known, Out);
      if (!isTileLoop(L) || Rows.size() == 2 || !isConvex(Condition, L.V))
        break;
      Rows.push_back(&L);
    } else {
      Saves |= L.StaticTrip == 0;
    }
  }
  Block Then = std::exchange(Asked->Then, {});
  N.back()->Body = std::move(Then); // and the condition is nowhere
  Block All;
  if (!Rows.empty() && Saves) {
    Substitution Own;
    All = freshCopy(insideOf(Around, N, Out), Own);
  }
  enclose(insideOf(Around, N, Known), Condition, {});
  if (!All.empty()) {
    Block &Place = insideOf(Around, N, Out);
    Block Some = std::exchange(Place, std::move(All));
    enclose(Place, holdsAtEnds(Condition, Rows), std::move(Some));
  }
}

} // namespace

void sinkConditions(Block &Body, const TensorTable &Tensors, const RegisterTiles &Tiles) {
  for (Stmt &S : Body) {
    for (Block *Nested : nestedBlocks(S))
      sinkConditions(*Nested, Tensors, Tiles);
    auto *I = S.getIf<If>();
    if (!I)
      continue;
    const Nest N = loopsToEnter(*I, Tensors, Tiles);
    if (N.empty())
      continue;
    enclose(N.back()->Body, I->Condition, {});
    Stmt Loops = std::move(I->Then.front());
    S = std::move(Loops);
  }
}

void liftConditions(Block &Body, const TensorTable &Tensors) {
  for (size_t At = 0; At < Body.size(); ++At) {
    auto *F = Body[At].getIf<For>();
    if (!F) {
      for (Block *Nested : nestedBlocks(Body[At]))
        liftConditions(*Nested, Tensors);
      continue;
    }
    Block Alone = {std::move(Body[At])};
    lift(Alone, perfectNest(*Alone.front().getIf<For>()), Tensors);
    Body[At] = std::move(Alone.front());
  }
}

} // namespace septran::compiler
