//===- GuardWindows.cpp - reads beside a window's tensor ------------------===//
#include "Plan/GuardWindows.h"

#include "IR/Rewrite.h"
#include "Plan/LoopNest.h"
#include "Plan/RegisterTiles.h"

#include <algorithm>

namespace septran::compiler {

namespace {

/// `Index >= 0`, or `Index < Extent`: half of what a place asks for.
struct Side {
  Expr Index, Extent; ///< Extent is null for the first

  Expr condition() const {
    return Extent ? binary(BinaryOp::Lt, Index, Extent) : binary(BinaryOp::Le, intLit(0), Index);
  }
  /// Not negative where it holds.
  Expr slack() const { return Extent ? simplify(Extent - Index - intLit(1)) : Index; }
};

/// What places ask for, without what follows from the rest.
class Sides {
  const Facts &Known;
  std::vector<Side> All;

public:
  explicit Sides(const Facts &Known) : Known(Known) {}

  bool empty() const { return All.empty(); }
  auto begin() const { return All.begin(); }
  auto end() const { return All.end(); }

  void add(const Side &New) {
    const Expr Slack = New.slack();
    if (provablyNonNegative(Slack, Known))
      return;
    for (const Side &Old : All)
      if (provablyLessEqual(Old.slack(), Slack, Known))
        return;
    std::erase_if(All, [&](const Side &Old) {
      return provablyLessEqual(Slack, Old.slack(), Known);
    });
    All.push_back(New);
  }

  /// Null where there is nothing to ask.
  Expr condition() const {
    Expr Result;
    for (const Side &S : All)
      Result = both(Result, S.condition());
    return Result;
  }
};

class Guard {
  const WindowReads &Windows;
  const TensorTable &Tensors;
  Facts Known;
  Diagnostics &D;

  std::pair<Expr, Expr> boundsOf(const For &F) const {
    return {F.Lo, simplify(expandExtents(F.Hi, Tensors))};
  }

  /// One side of a place, as the loop that is split sees it.
  enum class Moves {
    Never, ///< the same in all iterations
    Along, ///< with the loop's variable, in constant steps
    Freely ///< as something does that the loop computes
  };

  /// Side with the variables of loops inside F at the ends that are worst for it. None where an index has
  /// another form.
  std::optional<Side> atWorst(Side S, const For &F) const {
    const std::optional<Affine> Index = affineForm(S.Index);
    if (!Index)
      return std::nullopt;
    const DefinedSymbols Inside = definedIn(F.Body);
    Substitution Ends;
    bool Fits = true;
    walkStmts(F.Body, [&](const Stmt &In) {
      const auto *Loop = In.getIf<For>();
      if (!Loop || !mentions(S.Index, Loop->V))
        return;
      const std::optional<std::int64_t> Step = coefficientOf(*Index, Loop->V);
      auto IsFixed = [&](const Expr &E) { return !mentionsAny(E, Inside) && !mentions(E, F.V); };
      Fits &= Step && IsFixed(Loop->Lo) && IsFixed(Loop->Hi);
      if (Fits)
        Ends.Vars[Loop->V] = (*Step > 0) == bool(S.Extent) ? Loop->Hi - intLit(1) : Loop->Lo;
    });
    if (!Fits)
      return std::nullopt;
    S.Index = simplify(substitute(S.Index, Ends));
    if (mentionsAny(S.Index, Inside) || !Windows.in(S.Index).empty())
      return std::nullopt;
    return S;
  }

  Moves movesOf(const Side &S, const For &F) const {
    const std::optional<Side> Worst = atWorst(S, F);
    if (!Worst)
      return Moves::Freely;
    if (!mentions(Worst->Index, F.V))
      return Moves::Never;
    return coefficientOf(*affineForm(Worst->Index), F.V) ? Moves::Along : Moves::Freely;
  }

  static std::vector<Side> sidesOf(const WindowPlace &P) {
    return {{P.Index, nullptr}, {P.Index, P.Extent}};
  }

  std::vector<Side> sidesOf(const Expr &Load) const {
    std::vector<Side> Result;
    for (const WindowPlace &P : Windows.placesOf(Load))
      for (const Side &S : sidesOf(P))
        Result.push_back(S);
    return Result;
  }

  /// Reads of windows in the body of F, which is a part of Whole, get the conditions that Asked says.
  void guard(For &F, const For &Whole, llvm::function_ref<bool(const Side &)> Asked) const {
    Facts Inside = Known;
    Inside[F.V] = boundsOf(Whole);
    walkStmts(F.Body, [&](Stmt &S) {
      if (const auto *Nested = S.getIf<For>())
        Inside[Nested->V] = boundsOf(*Nested);
      forEachExpr(S, [&](Expr &E) { guard(E, Inside, Asked); });
    });
  }

  void guard(Expr &E, const Facts &Known, llvm::function_ref<bool(const Side &)> Asked) const {
    E = rewriteExpr(E, [&](const Expr &Load) { return guarded(Load, Known, Asked); });
  }

  Expr guarded(const Expr &Load, const Facts &Known,
               llvm::function_ref<bool(const Side &)> Asked) const {
    if (!Windows.isOne(Load))
      return nullptr;
    Expr Result = Load;
    const std::vector<WindowPlace> Places = Windows.placesOf(Load);
    for (size_t End = Places.size(), Begin = End; End; End = Begin) { // of one window
      const WindowPlace &Last = Places[End - 1];
      while (Begin && Places[Begin - 1].Window == Last.Window)
        --Begin;
      Sides Open(Known);
      for (size_t N = Begin; N < End; ++N)
        for (const Side &S : sidesOf(Places[N]))
          if (Asked(S))
            Open.add(S);
      if (!Open.empty())
        Result = select(Open.condition(), Result, cast(Load->Type, Last.Fill));
    }
    return Result == Load ? nullptr : Result;
  }

  static bool always(const Side &) { return true; }

  /// A copy of F from Lo to Hi, each with variables of its own.
  static Stmt part(const For &F, const Expr &Lo, const Expr &Hi, const Location &Loc) {
    Block Original;
    Original.push_back({F, Loc});
    Substitution Fresh;
    Block Copy = freshCopy(Original, Fresh);
    auto &Result = *Copy.front().getIf<For>();
    Result.Lo = Lo;
    Result.Hi = Hi;
    return std::move(Copy.front());
  }

  Stmt guardedPart(const For &F, const Expr &Lo, const Expr &Hi, const Location &Loc) const {
    Stmt Result = part(F, Lo, Hi, Loc);
    auto &Loop = *Result.getIf<For>();
    Loop.Exec = LoopExec::Plain;
    Loop.Width = Loop.Accumulators = 1;
    guard(Loop, F, always);
    return Result;
  }

  /// The loop in the middle: no iteration leads outside along its variable.
  Block middle(const For &F, const Expr &Lo, const Expr &Hi, const Expr &Whole,
               const Location &Loc) const {
    auto Version = [&](auto IsAsked) {
      Stmt Result = part(F, Lo, Hi, Loc);
      auto &Loop = *Result.getIf<For>();
      guard(Loop, F, [&](const Side &S) { return IsAsked(movesOf(S, Loop)); });
      return Result;
    };
    Stmt Inside = Version([](Moves M) { return M == Moves::Freely; });
    Block Result;
    if (!Whole) {
      Result.push_back(std::move(Inside));
    } else {
      If Choice{Whole, {}, {}};
      Choice.Then.push_back(std::move(Inside));
      Choice.Else.push_back(Version([](Moves M) { return M != Moves::Along; }));
      Result.push_back({std::move(Choice), Loc});
    }
    return Result;
  }

  /// What stands in for F, or nothing if that is refused.
  Block split(const For &F, const Location &Loc) const {
    Sides Whole(Known), Along(Known);
    for (const Expr &Load : Windows.in(F.Body))
      for (const Side &S : sidesOf(Load)) {
        const Moves M = movesOf(S, F);
        if (M == Moves::Never)
          Whole.add(*atWorst(S, F));
        else if (M == Moves::Along)
          Along.add(*atWorst(S, F));
        else if (F.Exec == LoopExec::Lanes && mayVary(S.Index, F)) {
          const LocatedName *Name = Windows.windowOf(Load->T)->Name;
          D.report(DiagID::InPlaceIllegal, Name->Loc, Name->Value,
                   "'" + toString(S.Index) + "' is not known before loop '" + F.V->Name +
                       "', which runs in lanes");
          return {};
        }
      }
    if (Along.empty())
      return middle(F, F.Lo, F.Hi, Whole.condition(), Loc);
    // Iterations from First to End are inside. Null where those at that end of F are.
    Expr First, End;
    for (const Side &S : Along) {
      const std::int64_t Step = *coefficientOf(*affineForm(S.Index), F.V);
      Substitution AtZero;
      AtZero.Vars[F.V] = intLit(0);
      // |Step| * V >= -slack, or <= slack, of the iteration 0.
      const Expr Slack = simplify(substitute(S.slack(), AtZero));
      auto Steps = [&](const Expr &Distance) {
        return ceilDiv(maxExpr(simplify(Distance), intLit(0)), intLit(std::abs(Step)));
      };
      if ((Step > 0) != bool(S.Extent)) {
        const Expr At = Steps(intLit(0) - Slack);
        First = First ? maxExpr(First, At) : At;
      } else {
        const Expr At = Steps(Slack + intLit(1));
        End = End ? minExpr(End, At) : At;
      }
    }
    Block Result;
    auto Name = [&](const char *Suffix, const Expr &Value) {
      VarRef V = makeVar(F.V->Name + Suffix, ScalarType::I64, VarKind::Scalar);
      Result.push_back({Let{V, simplify(Value)}, Loc});
      return varExpr(V);
    };
    auto Wide = [](const Expr &E) { return cast(ScalarType::I64, E); };
    const Expr Least = isConstant(F.Lo, 0) ? nullptr : Wide(F.Lo);
    if (First)
      First = Name("_first", minExpr(Least ? maxExpr(Least, First) : First, Wide(F.Hi)));
    if (End)
      End = Name("_end", First || Least ? maxExpr(First ? First : Least, minExpr(End, Wide(F.Hi)))
                                        : minExpr(End, Wide(F.Hi)));
    if (First)
      Result.push_back(guardedPart(F, F.Lo, First, Loc));
    for (Stmt &S : middle(F, First ? First : F.Lo, End ? End : F.Hi, Whole.condition(), Loc))
      Result.push_back(std::move(S));
    if (End)
      Result.push_back(guardedPart(F, End, F.Hi, Loc));
    return Result;
  }

  /// A nest over a register tile where nothing lies outside, and otherwise: no loop is split, since
  /// its iterations are written out. Nothing if that is refused.
  Block versions(const Stmt &Nest) const {
    For Once = countedLoop(makeVar("once", ScalarType::I64, VarKind::Loop), intLit(1), {Nest});
    Sides Whole(Known);
    for (const Expr &Load : Windows.in(Once.Body))
      for (const Side &S : sidesOf(Load)) {
        if (!isSameInLanes(S, Once.Body)) {
          const LocatedName *Name = Windows.windowOf(Load->T)->Name;
          D.report(DiagID::InPlaceIllegal, Name->Loc, Name->Value,
                   "lanes of a register tile would lie outside, at '" + toString(S.Index) + "'");
          return {};
        }
        if (const std::optional<Side> Worst = atWorst(S, Once))
          Whole.add(*Worst);
      }
    Block Result = middle(Once, Once.Lo, Once.Hi, Whole.condition(), Nest.Loc);
    auto Unwrap = [](Block &B) { B = Block(std::move(B.front().getIf<For>()->Body)); };
    if (auto *Either = Result.front().getIf<If>()) {
      Unwrap(Either->Then);
      Unwrap(Either->Else);
    } else {
      Unwrap(Result);
    }
    return Result;
  }

  static bool isSameInLanes(const Side &S, const Block &B) {
    bool Result = true;
    walkStmts(B, [&](const Stmt &In) {
      const auto *F = In.getIf<For>();
      Result &= !F || F->Exec != LoopExec::Lanes || !mayVary(S.Index, *F);
    });
    return Result;
  }

  /// E may differ between the lanes of F.
  static bool mayVary(const Expr &E, const For &F) {
    return mentions(E, F.V) || mentionsAny(E, definedIn(F.Body));
  }

  /// F is the loop to split for what its body reads.
  bool isSplit(const For &F) const {
    if (F.Step != 1 || Windows.in(F.Body).empty())
      return false;
    bool Inner = false;
    walkStmts(F.Body, [&](const Stmt &S) {
      if (const auto *Nested = S.getIf<For>())
        Inner |= !Windows.in(Nested->Body).empty();
    });
    return F.Exec == LoopExec::Lanes || !Inner;
  }

public:
  Guard(const WindowReads &Windows, const TensorTable &Tensors, const Facts &Known, Diagnostics &D)
      : Windows(Windows), Tensors(Tensors), Known(Known), D(D) {}

  void visit(Block &B) {
    Block Result;
    for (Stmt &S : B) {
      auto *F = S.getIf<For>();
      forEachExpr(S, [&](Expr &E) { guard(E, Known, always); });
      if (!F) {
        for (Block *Nested : nestedBlocks(S))
          visit(*Nested);
        Result.push_back(std::move(S));
        continue;
      }
      Known[F->V] = boundsOf(*F);
      if (Windows.areInTile(S)) {
        for (Stmt &Version : versions(S))
          Result.push_back(std::move(Version));
      } else if (!isSplit(*F)) {
        visit(F->Body);
        Result.push_back(std::move(S));
      } else {
        for (Stmt &Part : split(*F, S.Loc))
          Result.push_back(std::move(Part));
      }
    }
    B = std::move(Result);
  }
};

} // namespace

void guardWindows(Block &Leaf, const WindowReads &Windows, const TensorTable &Tensors,
                  const Facts &Known, Diagnostics &D) {
  Guard(Windows, Tensors, Known, D).visit(Leaf);
}

} // namespace septran::compiler
