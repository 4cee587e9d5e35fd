//===- ExtentBounds.cpp - what every access says of extents ---------------===//
#include "Plan/ExtentBounds.h"

#include "IR/Affine.h"
#include "IR/Fold.h"
#include "IR/Rewrite.h"
#include "Plan/Conditions.h"
#include "Plan/LargestValue.h"

#include <algorithm>
#include <deque>

namespace septran::compiler {

namespace {

/// Walks the task tree with the loops around every access.
class BoundCollector {
  const Program &P;
  ExtentBounds &Result;
  std::map<TensorRef, unsigned> ParamOf;
  std::map<TensorRef, View> Views; ///< of aliases
  std::map<TensorRef, std::vector<Expr>> LocalExtents;
  std::vector<const For *> Loops; ///< outermost first
  std::map<VarRef, Expr> Lets;    ///< stable integer scalars
  Conditions Around;              ///< what is looked at
  /// An element of an integer argument, and the variable that takes its place.
  struct Element {
    Expr Load;
    VarRef Stands;
    unsigned Param;
    std::optional<std::vector<Expr>> At; ///< in the argument; none if views hide it
  };
  std::deque<Element> Elements; // whose elements stay where they are

public:
  BoundCollector(const Program &P, ExtentBounds &Result) : P(P), Result(Result) {
    for (unsigned I = 0; I < P.Params.size(); ++I)
      if (P.Params[I].isTensor())
        ParamOf[P.Params[I].Tensor] = I;
  }

  void run() { block(P.Body); }

private:
  /// In terms of the entry's extents and scalars, of loop variables and of elements.
  Expr rooted(const Expr &E) {
    return rewriteExpr(E, [&](const Expr &N) -> Expr {
      if (N->Kind == ExprKind::Var) {
        auto It = Lets.find(N->V);
        return It == Lets.end() ? nullptr : It->second;
      }
      if (N->Kind == ExprKind::Load)
        return elementOf(N);
      if (N->Kind != ExprKind::Extent && N->Kind != ExprKind::Origin)
        return nullptr;
      bool IsExtent = N->Kind == ExprKind::Extent;
      if (auto It = Views.find(N->T); It != Views.end())
        return rooted(IsExtent ? It->second.extent(N->Dim) : It->second.origin(N->Dim));
      if (!IsExtent)
        return intLit(0); // Arguments are roots of their own; so are locals.
      if (auto It = LocalExtents.find(N->T); It != LocalExtents.end())
        return It->second[N->Dim];
      return nullptr;
    });
  }

  /// The variable in place of a Load whose indices are rooted; null if it reads no integer argument.
  Expr elementOf(const Expr &Load) {
    if (!isInteger(Load->T->Element) || Load->T->Element == ScalarType::Bool)
      return nullptr;
    for (const Element &Known : Elements)
      if (equal(Known.Load, Load))
        return varExpr(Known.Stands);
    TensorRef Root = Load->T;
    std::optional<std::vector<Expr>> At = Load->Args;
    for (auto It = Views.find(Root); It != Views.end(); It = Views.find(Root)) {
      if (!It->second.Reshape.empty() || It->second.Fill)
        At.reset();
      if (At)
        At = baseIndices(It->second, *At);
      Root = It->second.Base;
    }
    auto Param = ParamOf.find(Root);
    if (Param == ParamOf.end() || P.Params[Param->second].Access == Privilege::Write)
      return nullptr;
    // Of this kind conversions are looked through, as for all that is an index.
    VarRef Stands = makeVar(toString(Load), ScalarType::I64, VarKind::Loop);
    Elements.push_back({Load, Stands, Param->second, std::move(At)});
    return varExpr(Stands);
  }

  const Element *elementFor(const VarRef &V) const {
    for (const Element &E : Elements)
      if (E.Stands == V)
        return &E;
    return nullptr;
  }

  std::vector<const Element *> elementsIn(const Expr &E) const {
    std::vector<const Element *> Found;
    for (const VarRef &V : collectVars(E))
      if (const Element *Known = elementFor(V))
        Found.push_back(Known);
    return Found;
  }

  void block(const Block &B) {
    for (const Stmt &S : B)
      statement(S);
  }

  void statement(const Stmt &S) {
    if (const auto *D = S.getIf<Define>()) {
      Views[D->T] = explicitView(D->Value);
      cuts(D->Value);
      blocksExist(D->Value);
      return;
    }
    if (const auto *A = S.getIf<Alloc>()) {
      std::vector<Expr> Extents;
      for (const Expr &E : A->Extents)
        Extents.push_back(rooted(E));
      LocalExtents[A->T] = std::move(Extents);
      return;
    }
    if (const auto *L = S.getIf<Let>(); L && !L->Mutable && L->Value && isInteger(L->V->Type))
      // Blocks of any size reach the same elements, and bounds are simple where it is a number.
      Lets[L->V] = isTeamBlock(L->Value) ? intLit(L->V->Most, L->V->Type) : rooted(L->Value);
    if (const auto *St = S.getIf<Store>())
      access(St->T, St->Indices, S.Loc);
    forEachExpr(S, [&](const Expr &E) { loads(E); });
    const auto *F = S.getIf<For>();
    const auto *I = S.getIf<If>();
    if (I && I->ChoosesSizes)
      return block(I->Else); // Then knows more of its extents than the logic says
    if (I) {
      Around.push(rooted(I->Condition), true);
      block(I->Then);
      Around.failsNow();
      block(I->Else);
      Around.pop();
      return;
    }
    if (F) {
      Loops.push_back(F);
      ascends(*F);
    }
    for (const Block *Nested : nestedBlocks(S))
      block(*Nested);
    if (F)
      Loops.pop_back();
  }

  /// The elements that E reads; what decides whether an operand is looked at is its condition.
  void loads(const Expr &E) {
    if (E->Kind == ExprKind::Load)
      access(E->T, E->Args, E->Loc);
    const bool FirstDecides =
        E->Kind == ExprKind::Select ||
        (E->Kind == ExprKind::Binary && (E->Bin == BinaryOp::And || E->Bin == BinaryOp::Or));
    for (size_t A = 0; A < E->Args.size(); ++A) {
      if (FirstDecides && A == 1)
        Around.push(rooted(E->Args[0]), E->Kind == ExprKind::Select || E->Bin == BinaryOp::And);
      if (FirstDecides && A == 2)
        Around.failsNow();
      loads(E->Args[A]);
    }
    if (FirstDecides)
      Around.pop();
  }

  std::set<VarRef> loopVariables(const Expr &E) const {
    std::set<VarRef> Found;
    for (const For *L : Loops)
      if (mentions(E, L->V))
        Found.insert(L->V);
    for (const Element *Known : elementsIn(E))
      Found.insert(Known->Stands);
    return Found;
  }

  /// Whether the program compares this index, or what it is made of, with the extent before it goes
  /// on: `if (i + 1 < x.extent(0))` in front of x(i + 1).
  bool isTested(const Expr &At, const TensorRef &Root, unsigned Dim) const {
    const std::set<VarRef> Own = loopVariables(At);
    bool Tested = false;
    Around.forEach([&](const Expr &C) {
      walkExprs(C, [&](const Expr &N) {
        if (N->Kind != ExprKind::Binary || !isComparison(N->Bin) || !mentionsExtent(N, Root, Dim))
          return;
        const std::set<VarRef> Compared = loopVariables(N);
        Tested |= Own.empty() ? Compared.empty()
                              : std::any_of(Own.begin(), Own.end(),
                                            [&](const VarRef &V) { return Compared.contains(V); });
      });
    });
    return Tested;
  }

  static bool mentionsExtent(const Expr &E, const TensorRef &T, unsigned Dim) {
    bool Found = false;
    walkExprs(E, [&](const Expr &N) {
      Found |= N->Kind == ExprKind::Extent && N->T == T && N->Dim == Dim;
    });
    return Found;
  }

  /// An element of T is touched: some element of the argument that T is a part of is.
  void access(const TensorRef &T, const std::vector<Expr> &Indices, const Location &Loc) {
    std::vector<Expr> At;
    for (const Expr &I : Indices)
      At.push_back(rooted(I));
    TensorRef Root = T;
    for (auto It = Views.find(Root); It != Views.end(); It = Views.find(Root)) {
      if (!It->second.Reshape.empty())
        return;
      // What lies outside a window's base reads the fill value, but nothing lies outside the
      // window.
      if (It->second.Fill) {
        for (unsigned D = 0; D < At.size(); ++D)
          staysInside(At[D], rooted(It->second.extent(D)));
        return;
      }
      At = baseIndices(It->second, At);
      Root = It->second.Base;
      for (Expr &I : At)
        I = rooted(I);
    }
    for (unsigned D = 0; D < At.size(); ++D) {
      touch(Root, D, At[D]);
      const Expr Extent = rooted(extentOf(Root, D));
      boundElements(intLit(0) - At[D], Root, Loc);
      boundElements(At[D] - Extent + intLit(1), Root, Loc);
    }
  }

  /// Index At is inside dimension Dim of an argument or local.
  void touch(const TensorRef &Root, unsigned Dim, const Expr &At) {
    if (auto Param = ParamOf.find(Root); Param != ParamOf.end()) {
      if (isTested(At, Root, Dim))
        return;
      staysNegative(intLit(-1) - At);
      if (Expr Most = closestBound(largest(At)))
        Result.Bounds[{Param->second, Dim}].push_back(
            {simplify(Most + intLit(1)),
             Around.empty() ? BoundStrength::Access : BoundStrength::Conditional});
      return;
    }
    auto Local = LocalExtents.find(Root);
    if (Local == LocalExtents.end())
      return;
    staysInside(At, Local->second[Dim]);
    // A local of `Q.extent(0)` elements: inside it is inside Q, too.
    for (const Expr &Extent : operandsOfMin(Local->second[Dim])) {
      std::optional<Affine> Form = affineForm(Extent);
      for (auto &[Atom, Factor] : Form ? Form->Terms : std::vector<std::pair<Expr, std::int64_t>>())
        if (Factor == 1 && Atom->Kind == ExprKind::Extent && ParamOf.contains(Atom->T))
          touch(Atom->T, Atom->Dim, simplify(At - Extent + Atom));
    }
  }

  /// At is an index of something that is no argument and has `Extent` elements: a local, a window.
  void staysInside(const Expr &At, const Expr &Extent) {
    for (const Expr &Part : operandsOfMin(Extent))
      staysNegative(At - Part);
    staysNegative(intLit(-1) - At);
  }

  /// The loops around cancel where both sides grow with them. What happens under conditions may
  /// never happen, and is left out.
  void staysNegative(const Expr &E) {
    if (!Around.empty())
      return;
    const std::vector<Expr> All = largest(simplify(E + intLit(1)));
    const auto Never = [](const Expr &Excess) { return provablyLessEqual(Excess, intLit(0)); };
    if (!All.empty() && std::none_of(All.begin(), All.end(), Never))
      addLimit(closestBound(All));
  }

  /// Excess <= 0 is a limit that the arguments must keep.
  void addLimit(const Expr &Excess) {
    std::optional<Affine> Form = affineForm(Excess);
    if (!Form || Form->isConstant())
      return;
    // What is subtracted from stands on the one side, what is subtracted on the other.
    Affine Needed{{}, std::max<std::int64_t>(Form->Constant, 0)};
    Affine There{{}, Form->Constant < 0 ? -Form->Constant : 0};
    for (const auto &[Atom, Factor] : Form->Terms)
      (Factor > 0 ? Needed : There).Terms.emplace_back(Atom, Factor > 0 ? Factor : -Factor);
    ExtentLimit Limit{toExpr(Needed), toExpr(There)};
    if (std::none_of(Result.Limits.begin(), Result.Limits.end(), [&](const ExtentLimit &L) {
          return equal(L.Needed, Limit.Needed) && equal(L.There, Limit.There);
        }))
      Result.Limits.push_back(std::move(Limit));
  }

  /// Upper bounds of E over the loops around, of arguments, and of their elements if these count.
  std::vector<Expr> largest(const Expr &E, bool OverElements = false) {
    std::vector<Expr> Found = largestOver(E, Loops, [&](const Expr &End) { return rooted(End); });
    std::erase_if(Found, [&](const Expr &E) { return !isOverArguments(E, OverElements); });
    return Found;
  }

  /// Excess <= 0 or an index of Indexed is out of range: what that says of the elements that it, or
  /// the loops around it, are made of.
  void boundElements(const Expr &Excess, const TensorRef &Indexed, const Location &Loc) {
    if (Elements.empty())
      return;
    const std::vector<Expr> All = largest(simplify(Excess), true);
    if (std::any_of(All.begin(), All.end(), [&](const Expr &E) { return elementsIn(E).empty(); }))
      return; // so much the loops say
    std::optional<ValueBound> Bound;
    const Element *Bounded = nullptr;
    std::vector<Expr> Rests;
    for (const Expr &E : All) {
      const std::vector<const Element *> In = elementsIn(E);
      const std::optional<Affine> Form = affineForm(E);
      const auto Factor = Form && In.size() == 1 ? coefficientOf(*Form, In[0]->Stands) : std::nullopt;
      if (!Factor || (Bounded && (Bounded != In[0] || Bound->Factor != *Factor)))
        continue;
      Bounded = In[0];
      Bound = {*Factor, nullptr};
      Rests.push_back(toExpr(*addScaled(*Form, *affineForm(varExpr(Bounded->Stands)), -*Factor)));
    }
    if (Bounded) {
      if (Around.bounds(Bounded->Stands, Bound->Factor > 0))
        return;
      Bound->Rest = simplify(closestBound(Rests));
      addBound(*Bounded, *Bound);
      return;
    }
    for (const Element *In : elementsIn(Excess))
      if (!Around.bounds(In->Stands, true) && !Around.bounds(In->Stands, false))
        Result.Unread.push_back({In->Param, Indexed->Name, Loc});
  }

  void addBound(const Element &Of, const ValueBound &Bound) {
    ElementValues &Values = Result.Values[Of.Param];
    Values.Param = Of.Param;
    if (std::none_of(Values.Bounds.begin(), Values.Bounds.end(), [&](const ValueBound &B) {
          return B.Factor == Bound.Factor && equal(B.Rest, Bound.Rest);
        }))
      Values.Bounds.push_back(Bound);
    Around.forEachFact([&](const Expr &Fact, bool Holds) {
      if (Fact->Kind != ExprKind::Binary || Fact->Bin != (Holds ? BinaryOp::Ne : BinaryOp::Eq))
        return;
      const std::optional<Affine> Form = affineForm(Fact->Args[0] - Fact->Args[1]);
      const auto Factor = Form ? coefficientOf(*Form, Of.Stands) : std::nullopt;
      if (!Factor || (*Factor != 1 && *Factor != -1))
        return;
      const Expr Value =
          toExpr(*addScaled(*affineForm(varExpr(Of.Stands)), *Form, -*Factor));
      if (isOverArguments(Value, false) &&
          std::none_of(Values.Also.begin(), Values.Also.end(),
                       [&](const Expr &E) { return equal(E, Value); }))
        Values.Also.push_back(Value);
    });
  }

  /// A loop from one element to the next: of offsets into rows of different lengths.
  void ascends(const For &Loop) {
    const auto ElementAt = [&](const Expr &End) -> const Element * {
      const Expr Rooted = rooted(End), E = withoutCasts(Rooted);
      return E->Kind == ExprKind::Var ? elementFor(E->V) : nullptr;
    };
    if (!ElementAt(Loop.Lo) || !ElementAt(Loop.Hi))
      return;
    const Element &From = *ElementAt(Loop.Lo), &To = *ElementAt(Loop.Hi);
    if (From.Param != To.Param || !From.At || !To.At)
      return;
    std::optional<unsigned> Along;
    for (unsigned D = 0; D < From.At->size(); ++D) {
      const std::optional<std::int64_t> Step =
          constantValue(simplify((*To.At)[D] - (*From.At)[D]));
      if (!Step || (*Step != 0 && (*Step != 1 || Along)))
        return;
      if (*Step == 1)
        Along = D;
    }
    if (Along) {
      Result.Values[From.Param].Param = From.Param;
      Result.Values[From.Param].Ascends = Along;
    }
  }

  bool isOverArguments(const Expr &E, bool OrElements) const {
    bool Good = true;
    walkExprs(E, [&](const Expr &N) {
      if (N->Kind == ExprKind::Load || N->Kind == ExprKind::Origin)
        Good = false;
      else if (N->Kind == ExprKind::Extent)
        Good &= ParamOf.contains(N->T);
      else if (N->Kind == ExprKind::Var && !(OrElements && elementFor(N->V)))
        Good &= std::any_of(P.Params.begin(), P.Params.end(),
                            [&](const Parameter &A) { return A.Scalar == N->V; });
    });
    return Good;
  }

  /// Remembers the sizes of blocks that a view cuts an argument into.
  void cuts(const View &V) {
    for (unsigned D = 0; D < V.Slices.size(); ++D) {
      const Expr &Size = V.Slices[D].Block ? V.Slices[D].Block : V.Slices[D].Extent;
      std::optional<std::int64_t> Value = Size ? constantValue(Size) : std::nullopt;
      if (!Value || *Value <= 1)
        continue;
      TensorRef Root = V.Base;
      std::optional<unsigned> Dim = D;
      for (auto It = Views.find(Root); Dim && It != Views.end(); It = Views.find(Root)) {
        Dim = baseDim(It->second, *Dim);
        Root = It->second.Base;
      }
      if (auto Param = ParamOf.find(Root); Dim && Param != ParamOf.end())
        Result.Tiles[{Param->second, *Dim}].insert(*Value);
    }
  }

  /// Tensors that are cut into blocks side by side are taken to be equally long.
  void blocksExist(const View &V) {
    for (unsigned D = 0; D < V.Slices.size(); ++D) {
      const Slice &S = V.Slices[D];
      if (V.Fill)
        windowsExist(V, D);
      else if (S.Block && S.Index)
        if (std::optional<ExtentRef> Whole = wholeExtent(V.Base, D))
          if (Expr Most = closestBound(largest(simplify(rooted(S.Index)))))
            if (Expr End = endOfBlock(Most, rooted(S.Block)))
              Result.Bounds[*Whole].push_back({End, BoundStrength::Block});
    }
  }

  /// Windows with a halo around blocks side by side suggest the same. Other windows may be there to
  /// read fill values.
  void windowsExist(const View &V, unsigned Dim) {
    const Slice &S = V.Slices[Dim];
    const auto OrZero = [](const Expr &E) { return E ? E : intLit(0); };
    const std::optional<std::int64_t> Core =
        constantValue(simplify(rooted(S.Extent - OrZero(S.Low) - OrZero(S.High))));
    const Expr First = closestBound(largest(simplify(rooted(S.Offset + OrZero(S.Low)))));
    std::optional<ExtentRef> Whole = wholeExtent(V.Base, Dim);
    std::optional<Affine> End = First && Core ? affineForm(First + intLit(*Core)) : std::nullopt;
    if (!End || !Whole)
      return;
    // All of an extent, by single elements or by blocks: `ceil_div(n, Core) * Core`.
    if (End->Terms.size() != 1 || End->Terms[0].second != *Core || End->Constant != 0)
      return;
    const Expr &Count = End->Terms[0].first;
    if (*Core == 1)
      Result.Suggestions.push_back({*Whole, Count});
    else if (Count->Kind == ExprKind::Binary && Count->Bin == BinaryOp::CeilDiv &&
             isConstant(Count->Args[1], *Core))
      Result.Suggestions.push_back({*Whole, Count->Args[0]});
  }

  /// The argument's extent that dimension Dim of T is all of.
  std::optional<ExtentRef> wholeExtent(TensorRef T, unsigned Dim) const {
    for (auto It = Views.find(T); It != Views.end(); It = Views.find(T)) {
      std::optional<unsigned> Base = baseDim(It->second, Dim);
      if (!Base || It->second.Fill)
        return std::nullopt;
      const Slice &S = It->second.Slices[*Base];
      if (!isConstant(S.Offset, 0) || !equal(S.Extent, extentOf(It->second.Base, *Base)))
        return std::nullopt;
      T = It->second.Base;
      Dim = *Base;
    }
    auto Param = ParamOf.find(T);
    return Param == ParamOf.end() ? std::nullopt : std::optional(ExtentRef{Param->second, Dim});
  }

  /// The extent that makes Last the last block: that of the grid whose blocks Last counts, or the
  /// size of the only one. Null if it is neither.
  static Expr endOfBlock(const Expr &Last, const Expr &Size) {
    Expr Count = simplify(Last + intLit(1));
    if (isConstant(Size, 1))
      return isConstant(Count, 1) ? nullptr : Count;
    if (isConstant(Count, 1))
      return constantValue(Size) ? nullptr : Size;
    if (Count->Kind == ExprKind::Binary && Count->Bin == BinaryOp::CeilDiv &&
        provablyEqual(Count->Args[1], Size))
      return Count->Args[0];
    return nullptr;
  }

  static std::optional<unsigned> baseDim(const View &V, unsigned Dim) {
    if (!V.Reshape.empty())
      return std::nullopt;
    if (V.Dims.empty())
      return Dim;
    return V.Dims[Dim] < 0 ? std::nullopt : std::optional<unsigned>(V.Dims[Dim]);
  }
};

} // namespace

ExtentBounds extentBounds(const Program &P) {
  ExtentBounds Found;
  BoundCollector(P, Found).run();
  return Found;
}

} // namespace septran::compiler
