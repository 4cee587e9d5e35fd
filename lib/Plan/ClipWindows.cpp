//===- ClipWindows.cpp - windows that are read in place -------------------===//
#include "Plan/ClipWindows.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/Defaults.h"
#include "Plan/GuardWindows.h"
#include "Plan/RegisterTiles.h"
#include "Plan/TensorTable.h"
#include "Plan/WindowTerms.h"
#include "Support/StableSort.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>
#include <utility>

namespace septran::compiler {

namespace {

/// A * V + Rest is an element of a dimension with that Extent.
struct Inside {
  std::int64_t A;
  Expr Rest, Extent;

  Expr condition(const VarRef &V) const {
    return isInside(simplify(intLit(A) * varExpr(V) + Rest), Extent);
  }
  /// The iterations of V for which it is.
  Expr first() const {
    const Expr Before = A > 0 ? intLit(0) - Rest : Rest - Extent + intLit(1);
    return ceilDiv(maxExpr(intLit(0), simplify(Before)), intLit(std::abs(A)));
  }
  Expr end() const {
    const Expr Through = simplify(A > 0 ? Extent - Rest : Rest + intLit(1));
    return std::abs(A) == 1 ? Through : ceilDiv(maxExpr(intLit(0), Through), intLit(std::abs(A)));
  }
};

bool isTileLoop(const For &F) { return F.Exec == LoopExec::Unrolled && F.StaticTrip > 1; }

class LeafClipper {
  const WindowReads &Windows;
  const TensorTable &Tensors;
  std::vector<For *> Loops; ///< around the statement

  /// The part of a register tile's loop for which what it reads lies inside.
  struct Part {
    std::vector<Inside> Of;
    size_t Depth = 0; ///< of the loops outside of which it changes
  };

  /// What is added to a block, and how many loops are around it.
  struct Addition {
    Block *Where;
    size_t Depth;
    Block Lets;      ///< before what is there
    Expr Inside;     ///< under which it is left as it is; null: always
    Block Otherwise; ///< in its place
  };
  std::vector<Addition> Added;
  Block *Leaf = nullptr;

  Facts Full;               ///< the loops' bounds before they are clipped
  Expr NothingOutside;      ///< in no iteration of these; null: as far as is known
  bool KnownTrips = true;   ///< of all loops that lead outside, but for those over tiles
  std::set<VarRef> Leading; ///< these loops

  /// Statements that do something, in a loop's body.
  static unsigned effects(const Block &B) {
    unsigned Count = 0;
    walkStmts(B, [&](const Stmt &S) { Count += !S.getIf<For>() && !S.getIf<If>(); });
    return Count;
  }

  /// The expression has its value before the loops whose variables it does not name.
  bool isKnownAround(const Expr &E) const {
    bool Loads = false;
    walkExprs(E, [&](const Expr &N) { Loads |= N->Kind == ExprKind::Load; });
    const DefinedSymbols Inside = definedIn(*Leaf);
    const std::vector<VarRef> Vars = collectVars(E);
    return !Loads && std::all_of(Vars.begin(), Vars.end(), [&](const VarRef &V) {
      return !Inside.Vars.count(V) || std::any_of(Loops.begin(), Loops.end(),
                                                  [&](const For *F) { return F->V == V; });
    });
  }

  /// The loop that is clipped so that Index stays inside; null if there is none.
  For *loopFor(const WindowPlace &P, Inside &Found) const {
    std::optional<Affine> Index = affineForm(P.Index);
    if (!Index)
      return nullptr;
    For *Loop = nullptr;
    for (For *F : Loops) {
      const std::optional<std::int64_t> Step = coefficientOf(*Index, F->V);
      if (!Step)
        return nullptr; // a step that is known at run time only may be of either sign
      const std::int64_t A = *Step;
      const bool Once = F->StaticTrip == 1 && constantValue(F->Lo);
      if (A == 0 || Once)
        continue;
      if (Loop && isTileLoop(*Loop))
        return nullptr; // the part of a tile's loop may depend on loops around it only
      Loop = F;
      Found.A = A;
    }
    const bool InTileLanes = Loop && Loop->Exec == LoopExec::Lanes && Loop->StaticTrip;
    if (!Loop || InTileLanes || Loop->Step != 1 || effects(Loop->Body) != 1)
      return nullptr;
    Substitution AtZero;
    for (const For *F : Loops)
      if (F == Loop || (F->StaticTrip == 1 && constantValue(F->Lo)))
        AtZero.Vars[F->V] = F == Loop ? intLit(0) : F->Lo;
    Found.Rest = simplify(substitute(P.Index, AtZero));
    Found.Extent = P.Extent;
    return isKnownAround(Found.Rest) ? Loop : nullptr;
  }

  /// Adds to NothingOutside that the place lies inside at both ends of all loops.
  void noteEnds(const WindowPlace &P) {
    const Affine Index = *affineForm(P.Index);
    Substitution Least, Most;
    for (const For *F : Loops) {
      const std::int64_t A = coefficientOf(Index, F->V).value_or(0);
      if (A == 0)
        continue;
      const auto &[Lo, Hi] = Full.at(F->V);
      if (!F->StaticTrip) {
        KnownTrips &= isConstant(Lo, 0) && constantValue(Hi);
        Leading.insert(F->V);
      }
      (A > 0 ? Least : Most).Vars[F->V] = Lo;
      (A > 0 ? Most : Least).Vars[F->V] = Hi - intLit(1);
    }
    const Expr In = binary(
        BinaryOp::And, binary(BinaryOp::Le, intLit(0), simplify(substitute(P.Index, Least))),
        binary(BinaryOp::Lt, simplify(substitute(P.Index, Most)), P.Extent));
    NothingOutside = both(NothingOutside, In);
  }

  void narrow(For &F, const Inside &To) {
    auto Wide = [](const Expr &E) { return cast(ScalarType::I64, E); };
    F.Lo = simplify(maxExpr(Wide(F.Lo), Wide(To.first())));
    F.Hi = simplify(minExpr(Wide(F.Hi), Wide(To.end())));
  }

  /// Names the bounds of the part of a tile's loop before the loops inside which they stay the
  /// same.
  std::pair<Expr, Expr> name(const For &F, const Part &P) {
    For Inner;
    Inner.Lo = F.Lo;
    Inner.Hi = F.Hi;
    for (const Inside &To : P.Of)
      narrow(Inner, To);
    Block *Where = P.Depth ? &Loops[P.Depth - 1]->Body : Leaf;
    Addition New{Where, P.Depth, {}, nullptr, {}};
    auto Name = [&](const char *Suffix, const Expr &Bound) {
      VarRef V = makeVar(F.V->Name + Suffix, ScalarType::I64, VarKind::Scalar);
      New.Lets.push_back({Let{V, Bound}, {}});
      return varExpr(V);
    };
    const Expr First = Name("_first", Inner.Lo), End = Name("_end", Inner.Hi);
    Added.push_back(std::move(New));
    return {First, End};
  }

  /// Loops before the first one over a tile; all, where there is none.
  size_t loopsAroundTile() const {
    const auto Tile =
        std::find_if(Loops.begin(), Loops.end(), [](const For *F) { return F->StaticTrip != 0; });
    return size_t(Tile - Loops.begin());
  }

  /// The loops over a tile choose for all of their iterations.
  bool isDecidedAroundTile(const For &Loop, const Inside &To) const {
    const size_t Around = loopsAroundTile();
    if (!Around || Around == Loops.size())
      return false;
    for (size_t I = Around; I < Loops.size(); ++I)
      if (Loops[I] == &Loop || mentions(To.Rest, Loops[I]->V))
        return false;
    return true;
  }

  /// In the loop that decides, around a tile: what is in it reads Load if all of that lies inside,
  /// and otherwise has the fill.
  void choose(const Expr &Inside, const Expr &Load, const Expr &Fill) {
    size_t Depth = loopsAroundTile();
    while (Depth > 1 && !mentions(Inside, Loops[Depth - 1]->V))
      --Depth;
    Block *Where = &Loops[Depth - 1]->Body;
    Block Otherwise = *Where;
    rewriteExprs(Otherwise, [&](const Expr &E) { return E == Load ? Fill : nullptr; });
    Substitution Fresh;
    Added.push_back({Where, Depth, {}, Inside, freshCopy(Otherwise, Fresh)});
  }

  using Parts = std::map<For *, Part>;

  void addPart(Parts &Of, For *Loop, const Inside &To) const {
    Part &Mine = Of[Loop];
    Mine.Of.push_back(To);
    for (size_t I = 0; I < Loops.size(); ++I)
      if (mentions(To.Rest, Loops[I]->V))
        Mine.Depth = std::max(Mine.Depth, I + 1);
  }

  /// Value is what a statement updates with; returns the condition that loops do not see to, null
  /// if there is none.
  Expr clip(const Expr &Value) {
    Expr Condition;
    Parts OfTile;
    for (const Expr &Load : Windows.in(Value))
      for (const WindowPlace &P : Windows.placesOf(Load)) {
        Inside To;
        For *Loop = loopFor(P, To);
        if (!Loop) {
          Condition = both(Condition, P.condition());
          KnownTrips = false;
          continue;
        }
        noteEnds(P);
        if (isTileLoop(*Loop))
          addPart(OfTile, Loop, To);
        else
          narrow(*Loop, To);
      }
    for (For *F : Loops) // in their order
      if (auto Found = OfTile.find(F); Found != OfTile.end())
        std::tie(F->Lo, F->Hi) = name(*F, Found->second);
    return Condition;
  }

  /// The read of a window in Value of which what lies outside, which is 0, counts: it is multiplied
  /// by what may not be finite, and the mapping does not allow to leave that out. Null otherwise.
  Expr counted(const Expr &Value) const {
    for (const Expr &Load : Windows.in(Value))
      if (!Windows.windowOf(Load->T)->MayLeaveOut && isFactor(Load, Value))
        return Load;
    return nullptr;
  }

  /// All iterations remain, and what a statement updates with has the fill where Load would lie
  /// outside.
  void fill(Expr &Value, const Expr &Load) {
    Expr OfRead, OfTile;
    Parts Named;
    const std::vector<WindowPlace> Places = Windows.placesOf(Load);
    for (const WindowPlace &P : Places) {
      Inside To;
      For *Loop = loopFor(P, To);
      if (!Loop) {
        OfRead = both(OfRead, P.condition());
        KnownTrips = false;
        continue;
      }
      noteEnds(P);
      if (isTileLoop(*Loop))
        addPart(Named, Loop, To);
      else if (isDecidedAroundTile(*Loop, To))
        OfTile = both(OfTile, To.condition(Loop->V));
      else
        OfRead = both(OfRead, P.condition());
    }
    const Expr Outside = cast(Load->Type, Places.front().Fill);
    for (For *F : Loops)
      if (auto Found = Named.find(F); Found != Named.end()) {
        const auto [First, End] = name(*F, Found->second);
        OfRead = both(OfRead, binary(BinaryOp::And, binary(BinaryOp::Le, First, varExpr(F->V)),
                                     binary(BinaryOp::Lt, varExpr(F->V), End)));
      }
    if (OfTile)
      choose(OfTile, Load, Outside);
    if (OfRead)
      Value = rewriteExpr(Value, [&](const Expr &E) {
        return E == Load ? select(OfRead, Load, Outside) : nullptr;
      });
  }

  /// Values that are read from windows, and integers, which may be part of an index, stand where they
  /// are used.
  void inlineLets(Block &B) {
    std::map<VarRef, Expr> Values;
    std::set<VarRef> Mutable;
    walkStmts(std::as_const(B), [&](const Stmt &S) {
      if (const auto *L = S.getIf<Let>(); L && L->Mutable)
        Mutable.insert(L->V);
    });
    auto IsIndex = [&](const Let &L) {
      bool Fixed = isInteger(L.V->Type);
      walkExprs(L.Value, [&](const Expr &E) {
        Fixed &= E->Kind != ExprKind::Load && !(E->Kind == ExprKind::Var && Mutable.count(E->V));
      });
      return Fixed;
    };
    auto Visit = [&](Block &In, auto &Self) -> void {
      std::erase_if(In, [&](Stmt &S) {
        const auto *L = S.getIf<Let>();
        if (!L || L->Mutable || !L->Value || (Windows.in(L->Value).empty() && !IsIndex(*L)))
          return false;
        Values[L->V] = cast(L->V->Type, L->Value);
        return true;
      });
      for (Stmt &S : In)
        for (Block *Nested : nestedBlocks(S))
          Self(*Nested, Self);
    };
    Visit(B, Visit);
    for (bool Changed = !Values.empty(); Changed;) { // values may name others
      Changed = false;
      rewriteExprs(B, [&](const Expr &E) -> Expr {
        auto Found = E->Kind == ExprKind::Var ? Values.find(E->V) : Values.end();
        Changed |= Found != Values.end();
        return Found == Values.end() ? nullptr : Found->second;
      });
    }
  }

  /// Bounds of loops that an instance for some sizes knows.
  void setKnownBounds(Block &B) const {
    walkStmts(B, [&](Stmt &S) {
      if (auto *F = S.getIf<For>())
        for (Expr *Bound : {&F->Lo, &F->Hi})
          if (auto Known = constantValue(simplify(expandExtents(*Bound, Tensors))))
            *Bound = intLit(*Known, (*Bound)->Type);
    });
  }

  /// The loops that lead outside are spelled out where that makes a few vectors of work, all on registers.
  void unroll(Block &B) const {
    constexpr std::int64_t Most = 256;
    std::int64_t Vectors = 1;
    bool Others = false;
    walkStmts(B, [&](Stmt &S) {
      const auto *F = S.getIf<For>();
      if (!F)
        return;
      if (Leading.count(F->V))
        Vectors *= *constantValue(F->Hi);
      else if (F->StaticTrip)
        Vectors *= (F->StaticTrip + F->Width - 1) / F->Width;
      else
        Others = true;
    });
    if (Others || Vectors > Most)
      return;
    walkStmts(B, [&](Stmt &S) {
      if (auto *F = S.getIf<For>(); F && Leading.count(F->V) && F->Exec == LoopExec::Plain) {
        F->Exec = LoopExec::Unrolled;
        F->StaticTrip = *constantValue(F->Hi);
      }
    });
  }

  bool isOfOneWindow(const Expr &Load) const {
    const std::vector<WindowPlace> Places = Windows.placesOf(Load);
    return std::all_of(Places.begin(), Places.end(),
                       [&](const WindowPlace &P) { return P.Window == Places.front().Window; });
  }

  bool boundsAreSameInLanes(Block &B) {
    bool Result = true;
    for (Stmt &S : B) {
      if (auto *F = S.getIf<For>())
        Loops.push_back(F);
      for (Block *Nested : nestedBlocks(S))
        Result &= boundsAreSameInLanes(*Nested);
      if (S.getIf<For>())
        Loops.pop_back();
      forEachExpr(S, [&](const Expr &E) {
        const Expr Filled = counted(E);
        for (const Expr &Load : Windows.in(E))
          for (const WindowPlace &P : Windows.placesOf(Load)) {
            Inside To;
            const For *Loop = Load == Filled ? nullptr : loopFor(P, To);
            for (const For *F : Loops)
              Result &= F->Exec != LoopExec::Lanes || F == Loop ||
                        !mentions(Loop ? To.Rest : P.Index, F->V);
          }
      });
    }
    return Result;
  }

  void visit(Block &B) {
    for (Stmt &S : B) {
      if (auto *F = S.getIf<For>()) {
        Full[F->V] = {F->Lo, F->Hi};
        Loops.push_back(F);
        visit(F->Body);
        Loops.pop_back();
        continue;
      }
      if (auto *I = S.getIf<If>()) {
        visit(I->Then);
        visit(I->Else);
        continue;
      }
      auto *St = S.getIf<Store>();
      auto *A = S.getIf<Assign>();
      if (!St && !A)
        continue;
      Expr &Value = St ? St->Value : A->Value;
      if (const Expr Load = counted(Value)) {
        fill(Value, Load);
      } else if (const Expr Condition = clip(Value)) {
        Block Then;
        Then.push_back(std::move(S));
        const Location Loc = Then.front().Loc;
        S = {If{Condition, std::move(Then), {}}, Loc};
      }
    }
  }

public:
  LeafClipper(const WindowReads &Windows, const TensorTable &Tensors)
      : Windows(Windows), Tensors(Tensors) {}

  /// What the leaf reads outside adds nothing to what it computes, or does so alone in a statement
  /// in loops over a register tile.
  bool canLeaveOut(Block B) {
    inlineLets(B);
    bool Result = true;
    auto Leaves = [&](UpdateOp Op, const Expr &Value) {
      const std::vector<Expr> Loads = Windows.in(Value);
      for (const Expr &Load : Loads)
        for (const WindowPlace &P : Windows.placesOf(Load))
          Result &= addsNothing(Op, Value, Load, P.Fill);
      if (const Expr Load = counted(Value))
        Result &= Loads.size() == 1 && Windows.areInTile(B) && isOfOneWindow(Load);
    };
    walkStmts(std::as_const(B), [&](const Stmt &S) {
      const auto *St = S.getIf<Store>();
      const auto *A = S.getIf<Assign>();
      if (A)
        Leaves(A->Op, A->Value);
      else if (St)
        Leaves(St->Op, St->Value);
      forEachExpr(S, [&](const Expr &E) {
        const bool IsValue = (A && E == A->Value) || (St && E == St->Value);
        Result &= IsValue || Windows.in(E).empty();
      });
    });
    return Result;
  }

  /// The bounds of no loop that is clipped, and no condition, would differ between the lanes of a loop around.
  bool isSameInLanes(Block B) {
    Leaf = &B;
    inlineLets(B);
    const bool Result = boundsAreSameInLanes(B);
    Leaf = nullptr;
    return Result;
  }

  void run(Block &B) {
    Leaf = &B;
    inlineLets(B);
    setKnownBounds(B);
    const auto Begin = [](Block &Of) {
      return std::find_if(Of.begin(), Of.end(), [](const Stmt &S) { return !S.getIf<Define>(); });
    };
    Block Unclipped(Begin(B), B.end());
    visit(B);
    // Inner blocks first: those around them move what they hold.
    stableSort(Added, [](const Addition &X, const Addition &Y) { return X.Depth > Y.Depth; });
    for (Addition &New : Added) {
      Block &There = *New.Where;
      There.insert(There.begin(), std::make_move_iterator(New.Lets.begin()),
                   std::make_move_iterator(New.Lets.end()));
      if (New.Inside) {
        const Location Loc = There.front().Loc;
        Block Same = std::exchange(There, {});
        There.push_back({If{New.Inside, std::move(Same), std::move(New.Otherwise)}, Loc});
      }
    }
    if (!KnownTrips || !NothingOutside)
      return;
    // Loops of which the compiler knows how often they run can be unrolled, if nothing is clipped.
    unroll(Unclipped);
    Substitution Fresh;
    const auto First = Begin(B);
    const Location Loc = First->Loc;
    If Versions{NothingOutside, freshCopy(Unclipped, Fresh),
                Block(std::make_move_iterator(First), std::make_move_iterator(B.end()))};
    B.erase(First, B.end());
    B.push_back({std::move(Versions), Loc});
  }
};

/// Every window of the block that the mapping wants in place.
WindowReads::Windows windowsInPlace(const Block &B) {
  WindowReads::Windows Found;
  walkStmts(B, [&](const Stmt &S) {
    if (const auto *Sc = S.getIf<Scope>())
      for (const Stmt &Inner : Sc->Body)
        if (const auto *Def = Inner.getIf<Define>(); Def && Def->Value.Fill)
          if (const std::optional<WindowInPlace> W = inPlaceOf(*Sc->Instance, *Def->T))
            Found.insert({Def->T, *W});
  });
  return Found;
}

} // namespace

bool decidesBetween(const For &F, const VarRef &First, const VarRef &End) {
  bool Found = false;
  if (isTileLoop(F))
    walkExprs(F.Body, [&](const Expr &E) {
      Found |= E->Kind == ExprKind::Select && mentions(E->Args[0], First) &&
               mentions(E->Args[0], End) && mentions(E->Args[0], F.V);
    });
  return Found;
}

void clipWindows(Program &P, Diagnostics &D) {
  const WindowReads::Windows InPlace = windowsInPlace(P.Body);
  if (InPlace.empty())
    return;
  const TensorTable Tensors(P.Body);
  const WindowReads Reads(InPlace, Tensors);
  Facts Known;
  walkStmts(std::as_const(P.Body), [&](const Stmt &S) {
    if (const auto *F = S.getIf<For>())
      Known[F->V] = {F->Lo, simplify(expandExtents(F->Hi, Tensors))};
  });
  auto Refuse = [&](const View &V, const std::string &Why) {
    if (const WindowInPlace *W = Reads.windowOf(V.Base))
      D.report(DiagID::InPlaceIllegal, W->Name->Loc, W->Name->Value, Why);
  };
  walkStmts(P.Body, [&](Stmt &S) {
    if (const auto *C = S.getIf<CopyStmt>())
      Refuse(C->Src, "a part of it is copied: " + C->Reason);
    if (const auto *O = S.getIf<OpaqueCall>())
      for (const Launch::Argument &A : O->Args)
        if (A.isTensor())
          Refuse(A.Tensor, "leaf '" + O->Callee->Name + "' is opaque");
    auto *Sc = S.getIf<Scope>();
    if (!Sc || Sc->Instance->Task->Kind != FunctionKind::Leaf)
      return;
    if (Sc->Instance->Binding.empty()) {
      LeafClipper Clipper(Reads, Tensors);
      if (Reads.in(Sc->Body).empty())
        return;
      if (Clipper.canLeaveOut(Sc->Body) && Clipper.isSameInLanes(Sc->Body))
        Clipper.run(Sc->Body);
      else
        guardWindows(Sc->Body, Reads, Tensors, Known, D);
    } else {
      for (const Stmt &Inner : Sc->Body)
        if (const auto *Def = Inner.getIf<Define>())
          Refuse(Def->Value, "leaf '" + Sc->Instance->Task->Name + "' is bound to a primitive");
    }
  });
}

} // namespace septran::compiler
