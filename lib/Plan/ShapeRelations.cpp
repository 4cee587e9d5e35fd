//===- ShapeRelations.cpp - which extents an entry point may be called with -===//
#include "Plan/ShapeRelations.h"

#include "IR/Affine.h"
#include "IR/Fold.h"
#include "IR/Rewrite.h"
#include "Plan/ExtentBounds.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace septran::compiler {

namespace {

/// The task that an entry only wraps, with the number of the parameter that each of its tensors is; the entry
/// itself if it does anything else.
const Function &wrapped(const Function &Entry, std::map<TensorRef, unsigned> &ParamOf) {
  for (unsigned I = 0; I < Entry.Params.size(); ++I)
    if (Entry.Params[I].isTensor())
      ParamOf[Entry.Params[I].Tensor] = I;
  const Function *F = &Entry;
  while (F->Tunables.empty() && F->Body.size() == 1) {
    const auto *L = F->Body.front().getIf<Launch>();
    if (!L)
      break;
    std::map<TensorRef, unsigned> Inner;
    for (unsigned I = 0; I < L->Args.size(); ++I)
      if (const Launch::Argument &A = L->Args[I]; A.isTensor() && A.Tensor.isWhole())
        if (auto Known = ParamOf.find(A.Tensor.Base); Known != ParamOf.end())
          Inner[L->Callee->Params[I].Tensor] = Known->second;
    ParamOf = std::move(Inner);
    F = L->Callee.get();
  }
  return *F;
}

/// `tile_m` cuts dimension 0 of C: the name of C[0] is M.
std::map<ExtentRef, std::string> namesFromTunables(const Program &P) {
  std::map<ExtentRef, std::string> Names;
  std::map<TensorRef, unsigned> ParamOf;
  walkStmts(wrapped(*P.Entry, ParamOf).Body, [&](const Stmt &S) {
    forEachView(S, [&](const View &V) {
      auto Param = ParamOf.find(V.Base);
      if (Param == ParamOf.end())
        return;
      for (unsigned D = 0; D < V.Slices.size(); ++D) {
        const Expr &Size = V.Slices[D].Block;
        if (!Size || Size->Kind != ExprKind::Var || Size->V->Kind != VarKind::Tunable)
          continue;
        std::string Name = Size->V->Name;
        size_t Bar = Name.rfind('_');
        if (Bar == std::string::npos)
          continue;
        Name = Name.substr(Bar + 1);
        std::transform(Name.begin(), Name.end(), Name.begin(),
                       [](unsigned char C) { return char(std::toupper(C)); });
        Names.try_emplace({Param->second, D}, Name);
      }
    });
  });
  return Names;
}

class Orderer {
  ShapeRelations &R;
  std::map<ExtentRef, std::vector<Expr>> Bounds;
  std::map<TensorRef, unsigned> ParamOf;
  std::map<ExtentRef, EntryExtent> Waiting;
  std::set<ExtentRef> Done;

  std::set<ExtentRef> needs(const ExtentRef &Ref) const {
    std::set<ExtentRef> All;
    auto It = Bounds.find(Ref);
    if (It != Bounds.end())
      for (const Expr &B : It->second)
        walkExprs(B, [&](const Expr &N) {
          if (N->Kind == ExprKind::Extent)
            All.insert({ParamOf.at(N->T), N->Dim});
        });
    return All;
  }

  void put(const ExtentRef &Ref, bool Free) {
    EntryExtent E = std::move(Waiting.at(Ref));
    Waiting.erase(Ref);
    if (!Free)
      E.AtLeast = Bounds[Ref];
    R.Extents.push_back(std::move(E));
    Done.insert(Ref);
  }

public:
  Orderer(ShapeRelations &R, ExtentBounds &Found, const Program &P) : R(R) {
    for (unsigned I = 0; I < P.Params.size(); ++I) {
      if (!P.Params[I].isTensor())
        continue;
      ParamOf[P.Params[I].Tensor] = I;
      for (unsigned D = 0; D < P.Params[I].Tensor->Rank; ++D) {
        ExtentRef Ref{I, D};
        EntryExtent E{Ref, P.Params[I].Name + "[" + std::to_string(D) + "]", "", {}, 0, {}};
        E.Tiles.assign(Found.Tiles[Ref].begin(), Found.Tiles[Ref].end());
        E.Least = takeBounds(Ref, Found.Bounds[Ref]);
        Waiting.emplace(Ref, std::move(E));
      }
    }
  }

  /// A bound by the extent itself says nothing but that loops run over it: next to that one constant
  /// index is no length. The largest one is returned.
  std::int64_t takeBounds(const ExtentRef &Ref, const std::vector<AccessBound> &All) {
    std::optional<BoundStrength> Skipped;
    std::int64_t Least = 0;
    for (BoundStrength S :
         {BoundStrength::Access, BoundStrength::Conditional, BoundStrength::Block}) {
      if (S == Skipped)
        continue;
      std::set<std::string> Seen;
      std::vector<Expr> Others;
      bool Any = false;
      for (const AccessBound &B : All) {
        if (B.S != S)
          continue;
        bool Own = false;
        walkExprs(B.AtLeast, [&](const Expr &N) {
          Own |= N->Kind == ExprKind::Extent && ParamOf.contains(N->T) &&
                 ExtentRef{ParamOf.at(N->T), N->Dim} == Ref;
        });
        Any |= Own;
        if (!Own && Seen.insert(toString(B.AtLeast)).second)
          Others.push_back(B.AtLeast);
      }
      if (Any && std::all_of(Others.begin(), Others.end(),
                             [](const Expr &E) { return constantValue(E).has_value(); })) {
        for (const Expr &E : Others)
          Least = std::max(Least, *constantValue(E));
      } else if (!Others.empty()) {
        Bounds[Ref] = std::move(Others);
        return Least;
      }
      // Where loops run over the extent itself, what happens under conditions adds nothing.
      if (Any && S == BoundStrength::Access)
        Skipped = BoundStrength::Conditional;
    }
    return Least;
  }

  void run() {
    while (!Waiting.empty()) {
      std::optional<ExtentRef> Next;
      bool Free = false;
      for (const auto &[Ref, E] : Waiting)
        if (std::set<ExtentRef> Needs = needs(Ref);
            Needs.empty() || std::includes(Done.begin(), Done.end(), Needs.begin(), Needs.end())) {
          Free = !Bounds.contains(Ref);
          Next = Ref;
          if (Free)
            break;
        }
      if (!Next) { // In a circle the first one leads.
        Next = Waiting.begin()->first;
        Free = true;
      }
      put(*Next, Free);
    }
  }
};

std::string upper(std::string_view Text) {
  std::string All(Text);
  std::transform(All.begin(), All.end(), All.begin(),
                 [](unsigned char C) { return char(std::toupper(C)); });
  return All;
}

/// Those of Other, which has the same parameters, as bounds of P.
void addBounds(ExtentBounds &Found, const Program &P, const Program &Other) {
  Substitution Params;
  for (unsigned I = 0; I < P.Params.size(); ++I)
    if (P.Params[I].isTensor())
      Params.Tensors[Other.Params[I].Tensor] = P.Params[I].Tensor;
  for (const auto &[Ref, Bounds] : extentBounds(Other).Bounds)
    for (const AccessBound &B : Bounds)
      Found.Bounds[Ref].push_back({substitute(B.AtLeast, Params), B.S});
}

/// Names that stand for one extent, and for no argument.
void giveShortNames(ShapeRelations &R, const Program &P) {
  std::map<std::string, unsigned> Uses;
  for (const Parameter &Param : P.Params)
    ++Uses[Param.Name];
  for (auto &[Ref, Name] : namesFromTunables(P))
    for (EntryExtent &E : R.Extents)
      if (E.Ref == Ref && E.isFree()) {
        E.ShortName = Name;
        ++Uses[Name];
      }
  for (EntryExtent &E : R.Extents)
    if (!E.ShortName.empty() && Uses[E.ShortName] > 1)
      E.ShortName.clear();
}

} // namespace

bool EntryExtent::isTied() const {
  return !AtLeast.empty() && std::all_of(AtLeast.begin(), AtLeast.end(), [](const Expr &Bound) {
    return Bound->Kind == ExprKind::Extent;
  });
}

const EntryExtent *ShapeRelations::find(std::string_view Name) const {
  for (const EntryExtent &E : Extents)
    if (upper(E.Name) == upper(Name) || (!E.ShortName.empty() && E.ShortName == upper(Name)))
      return &E;
  return nullptr;
}

const ElementValues *ShapeRelations::valuesOf(unsigned Param) const {
  for (const ElementValues &V : Values)
    if (V.Param == Param)
      return &V;
  return nullptr;
}

ShapeRelations shapeRelations(const Program &P, const Program *AsWritten) {
  ShapeRelations R;
  R.Params = P.Params;
  ExtentBounds Found = extentBounds(P);
  if (AsWritten)
    addBounds(Found, P, *AsWritten);
  Orderer Order(R, Found, P);
  Order.run();
  R.Limits = std::move(Found.Limits);
  R.Suggestions = std::move(Found.Suggestions);
  for (auto &[Param, Values] : Found.Values)
    if (!Values.Bounds.empty())
      R.Values.push_back(std::move(Values));
  R.Unread = std::move(Found.Unread);
  giveShortNames(R, P);
  return R;
}

std::optional<std::int64_t> evaluate(const Expr &E, const ShapeRelations &R, const Extents &Known,
                                     const ScalarValues &Scalars) {
  auto Value = [&](const Expr &A) { return evaluate(A, R, Known, Scalars); };
  switch (E->Kind) {
  case ExprKind::IntLit:
    return E->Int;
  case ExprKind::Var: {
    auto It = Scalars.find(E->V->Name);
    return It == Scalars.end() ? std::nullopt : std::optional(It->second);
  }
  case ExprKind::Extent:
    for (const auto &[Ref, Extent] : Known)
      if (R.Params[Ref.Param].Tensor == E->T && Ref.Dim == E->Dim)
        return Extent;
    return std::nullopt;
  case ExprKind::Cast:
    return Value(E->Args[0]);
  case ExprKind::Unary: {
    std::optional<std::int64_t> A = Value(E->Args[0]);
    if (!A || E->Un == UnaryOp::BitNot)
      return std::nullopt;
    return E->Un == UnaryOp::Neg ? -*A : std::int64_t(!*A);
  }
  case ExprKind::Binary: {
    std::optional<std::int64_t> A = Value(E->Args[0]), B = Value(E->Args[1]);
    return A && B ? evaluate(E->Bin, *A, *B) : std::nullopt;
  }
  case ExprKind::Select: {
    std::optional<std::int64_t> Condition = Value(E->Args[0]);
    return Condition ? Value(E->Args[*Condition ? 1 : 2]) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

std::optional<Extents> completeShape(const ShapeRelations &R, Extents Given,
                                     const ScalarValues &Scalars) {
  for (const EntryExtent &E : R.Extents) {
    if (Given.contains(E.Ref))
      continue;
    if (E.isFree())
      return std::nullopt;
    std::optional<std::int64_t> Size;
    for (const Expr &Bound : E.AtLeast) {
      std::optional<std::int64_t> Value = evaluate(Bound, R, Given, Scalars);
      if (!Value)
        return std::nullopt;
      Size = Size ? std::max(*Size, *Value) : *Value;
    }
    Given[E.Ref] = std::max<std::int64_t>({*Size, E.Least, 0});
  }
  return Given;
}

void tie(ShapeRelations &R, const std::vector<ExtentRef> &Equal) {
  const EntryExtent *First = nullptr;
  for (EntryExtent &E : R.Extents) {
    if (std::find(Equal.begin(), Equal.end(), E.Ref) == Equal.end())
      continue;
    if (First)
      E.AtLeast.push_back(extentOf(R.Params[First->Ref.Param].Tensor, First->Ref.Dim));
    else
      First = &E;
  }
}

namespace {

std::string listText(const std::vector<std::string> &Items) {
  std::string Text;
  for (const std::string &Item : Items)
    Text += (Text.empty() ? "" : ", ") + Item;
  return Text;
}

/// Lower bounds without those that another one implies.
std::vector<Expr> closest(const std::vector<Expr> &Bounds) {
  std::vector<Expr> Left;
  for (size_t I = 0; I < Bounds.size(); ++I) {
    bool Implied = false;
    for (size_t Other = 0; Other < Bounds.size(); ++Other)
      Implied |= Other != I && provablyLessEqual(Bounds[I], Bounds[Other]) &&
                 (Other < I || !provablyLessEqual(Bounds[Other], Bounds[I]));
    if (!Implied)
      Left.push_back(Bounds[I]);
  }
  return Left;
}

/// The closest of the bounds on one side, as far as that is known without numbers.
std::string boundText(const ElementValues &V, bool Above) {
  std::vector<std::string> Bounds;
  for (const ValueBound &B : V.Bounds) {
    if ((B.Factor > 0) != Above)
      continue;
    const Expr Scaled = simplify(Above ? intLit(0) - B.Rest : B.Rest);
    const std::int64_t Size = Above ? B.Factor : -B.Factor;
    const std::string Text = toString(Scaled);
    Bounds.push_back(Size == 1 ? Text : "(" + Text + ") / " + std::to_string(Size));
  }
  if (Bounds.size() > 1)
    return std::string(Above ? "min(" : "max(") + listText(Bounds) + ")";
  return Bounds.empty() ? "" : Bounds.front();
}

std::string toString(const ElementValues &V, const Parameter &P) {
  std::vector<std::string> Values;
  for (std::int64_t Value : V.Stated)
    Values.push_back(std::to_string(Value));
  constexpr size_t MostShown = 8;
  if (Values.size() > MostShown)
    Values = {Values.front() + " to " + Values.back()};
  if (!Values.empty())
    return P.Name + " " + listText(Values);
  const std::string Least = boundText(V, false), Most = boundText(V, true);
  std::string Text = P.Name + (Least.empty() ? "" : " from " + Least) +
                     (Most.empty() ? "" : (Least.empty() ? " up to " : " to ") + Most);
  for (const Expr &Also : V.Also)
    Text += ", or " + toString(Also);
  return Text + (V.Ascends ? ", ascending" : "");
}

} // namespace

std::string toString(const ShapeRelations &R) {
  std::string Text;
  for (const EntryExtent &E : R.Extents) {
    Text += E.Name;
    if (!E.ShortName.empty())
      Text += " (" + E.ShortName + ")";
    if (E.isFree())
      Text += " free";
    std::vector<std::string> Bounds;
    for (const Expr &B : closest(E.AtLeast))
      Bounds.push_back(toString(B));
    if (E.Least > 0)
      Bounds.push_back(std::to_string(E.Least));
    if (Bounds.size() == 1)
      Text += " >= " + Bounds.front();
    else if (!Bounds.empty())
      Text += " >= max(" + listText(Bounds) + ")";
    if (!E.Tiles.empty()) {
      Text += ", blocks of";
      for (std::int64_t T : E.Tiles)
        Text += " " + std::to_string(T);
    }
    Text += "\n";
  }
  for (const ElementValues &V : R.Values)
    Text += toString(V, R.Params[V.Param]) + "\n";
  return Text;
}

} // namespace septran::compiler
