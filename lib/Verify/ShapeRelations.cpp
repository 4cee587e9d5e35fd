//===- ShapeRelations.cpp - which extents an entry point may be called with -===//
#include "Verify/ShapeRelations.h"

#include "IR/Affine.h"
#include "IR/Fold.h"
#include "IR/Rewrite.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace septran::compiler {

namespace {

/// How much a bound tells. Weaker ones speak for an extent only where there are no stronger ones.
enum class Strength {
  Access,      ///< an element is read or written
  Conditional, ///< the same, under a condition
  Block,       ///< a block is cut out, of which perhaps not every element is used
};

struct Bound {
  Expr AtLeast;
  Strength S;
};

/// Walks the task tree with the loops around every access.
class BoundCollector {
  const Program &P;
  std::map<TensorRef, unsigned> ParamOf;
  std::map<TensorRef, View> Views; ///< of aliases
  std::map<TensorRef, std::vector<Expr>> LocalExtents;
  std::vector<const For *> Loops; ///< outermost first
  std::map<VarRef, Expr> Lets;    ///< stable integer scalars
  unsigned Conditions = 0;

public:
  std::map<ExtentRef, std::vector<Bound>> Bounds;
  std::map<ExtentRef, std::set<std::int64_t>> Tiles;

  explicit BoundCollector(const Program &P) : P(P) {
    for (unsigned I = 0; I < P.Params.size(); ++I)
      if (P.Params[I].isTensor())
        ParamOf[P.Params[I].Tensor] = I;
  }

  void run() { block(P.Body); }

private:
  /// In terms of the entry's extents and scalars and of loop variables.
  Expr rooted(const Expr &E) const {
    return rewriteExpr(E, [&](const Expr &N) -> Expr {
      if (N->Kind == ExprKind::Var) {
        auto It = Lets.find(N->V);
        return It == Lets.end() ? nullptr : It->second;
      }
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
      Lets[L->V] = rooted(L->Value);
    if (const auto *St = S.getIf<Store>())
      access(St->T, St->Indices);
    forEachExpr(S, [&](const Expr &E) {
      walkExprs(E, [&](const Expr &N) {
        if (N->Kind == ExprKind::Load)
          access(N->T, N->Args);
      });
    });
    const auto *F = S.getIf<For>();
    if (F)
      Loops.push_back(F);
    Conditions += S.getIf<If>() != nullptr;
    for (const Block *Nested : nestedBlocks(S))
      block(*Nested);
    Conditions -= S.getIf<If>() != nullptr;
    if (F)
      Loops.pop_back();
  }

  /// An element of T is touched: some element of the argument that T is a part of is.
  void access(const TensorRef &T, const std::vector<Expr> &Indices) {
    std::vector<Expr> At;
    for (const Expr &I : Indices)
      At.push_back(rooted(I));
    TensorRef Root = T;
    for (auto It = Views.find(Root); It != Views.end(); It = Views.find(Root)) {
      // What lies outside a window's base reads the fill value.
      if (It->second.Fill || !It->second.Reshape.empty())
        return;
      At = baseIndices(It->second, At);
      Root = It->second.Base;
      for (Expr &I : At)
        I = rooted(I);
    }
    for (unsigned D = 0; D < At.size(); ++D)
      touch(Root, D, At[D]);
  }

  /// Index At is inside dimension Dim of an argument or local.
  void touch(const TensorRef &Root, unsigned Dim, const Expr &At) {
    if (auto Param = ParamOf.find(Root); Param != ParamOf.end()) {
      if (Expr Most = smallest(largest(At)))
        Bounds[{Param->second, Dim}].push_back(
            {simplify(Most + intLit(1)), Conditions ? Strength::Conditional : Strength::Access});
      return;
    }
    auto Local = LocalExtents.find(Root);
    if (Local == LocalExtents.end())
      return;
    // A local of `Q.extent(0)` elements: inside it is inside Q, too.
    for (const Expr &Extent : operandsOfMin(Local->second[Dim])) {
      std::optional<Affine> Form = affineForm(Extent);
      for (auto &[Atom, Factor] : Form ? Form->Terms : std::vector<std::pair<Expr, std::int64_t>>())
        if (Factor == 1 && Atom->Kind == ExprKind::Extent && ParamOf.contains(Atom->T))
          touch(Atom->T, Atom->Dim, simplify(At - Extent + Atom));
    }
  }

  /// The closest of several bounds of one index. Those that count whole blocks are rougher than one
  /// that follows the clipped last block.
  static Expr smallest(std::vector<Expr> Bounds) {
    auto CountsBlocks = [](const Expr &E) {
      bool Found = false;
      walkExprs(E, [&](const Expr &N) {
        Found |= N->Kind == ExprKind::Binary && N->Bin == BinaryOp::CeilDiv;
      });
      return Found;
    };
    if (!std::all_of(Bounds.begin(), Bounds.end(), CountsBlocks))
      std::erase_if(Bounds, CountsBlocks);
    Expr Least;
    for (const Expr &B : Bounds)
      Least = !Least ? B : equal(Least, B) ? Least : minExpr(Least, B);
    return Least;
  }

  /// Upper bounds of E without loop variables: variables are replaced, innermost first, by the ends
  /// of their loops. Where E or such an end is a minimum each of its operands is one.
  std::vector<Expr> largest(const Expr &E) const {
    std::vector<Expr> Found = operandsOfMin(E);
    for (auto Loop = Loops.rbegin(); Loop != Loops.rend(); ++Loop) {
      std::vector<Expr> Next;
      for (const Expr &Current : Found) {
        if (!mentions(Current, (*Loop)->V)) {
          Next.push_back(Current);
          continue;
        }
        int Way = direction(Current, (*Loop)->V);
        if (Way == 0)
          continue;
        std::vector<Expr> Ends;
        if (Way < 0)
          Ends.push_back(rooted((*Loop)->Lo));
        else
          for (const Expr &Hi : operandsOfMin(rooted((*Loop)->Hi)))
            Ends.push_back(Hi - intLit(1));
        for (const Expr &End : Ends)
          for (const Expr &Part : operandsOfMin(simplify(replaceVar(Current, (*Loop)->V, End))))
            Next.push_back(Part);
      }
      Found = std::move(Next);
    }
    std::erase_if(Found, [&](const Expr &E) { return !isOverArguments(E); });
    return Found;
  }

  static Expr replaceVar(const Expr &E, const VarRef &V, const Expr &By) {
    Substitution S;
    S.Vars[V] = By;
    return substitute(E, S);
  }

  /// What E is the minimum of, however deep in a sum: `min(a, b) - c` is min(a - c, b - c).
  static std::vector<Expr> operandsOfMin(const Expr &E) {
    std::optional<Affine> Form = affineForm(E);
    if (!Form)
      return {E};
    for (auto &[Atom, Factor] : Form->Terms) {
      if (Factor < 0 || Atom->Kind != ExprKind::Binary || Atom->Bin != BinaryOp::Min)
        continue;
      std::optional<Affine> Rest = addScaled(*Form, *affineForm(Atom), -Factor);
      std::vector<Expr> All;
      for (const Expr &Operand : Atom->Args)
        for (const Expr &Part : operandsOfMin(Operand * intLit(Factor) + toExpr(*Rest)))
          All.push_back(Part);
      return All;
    }
    return {E};
  }

  /// 1 if E grows with V, -1 if it falls, 0 if that is not known. Extents and loop variables are
  /// not negative.
  static int direction(const Expr &E, const VarRef &V) {
    if (std::optional<Affine> Form = affineForm(E))
      if (std::optional<std::int64_t> Factor = coefficientOf(*Form, V))
        return *Factor < 0 ? -1 : *Factor > 0;
    if (E->Kind == ExprKind::Cast)
      return direction(E->Args[0], V);
    if (E->Kind != ExprKind::Binary)
      return 0;
    const Expr &A = E->Args[0], &B = E->Args[1];
    switch (E->Bin) {
    case BinaryOp::Add:
    case BinaryOp::Min:
    case BinaryOp::Max:
    case BinaryOp::Mul:
      if (!mentions(A, V) || !mentions(B, V))
        return direction(mentions(A, V) ? A : B, V);
      return direction(A, V) == direction(B, V) ? direction(A, V) : 0;
    case BinaryOp::Sub:
      return mentions(B, V) ? 0 : direction(A, V);
    case BinaryOp::Div:
    case BinaryOp::CeilDiv:
      return mentions(B, V) ? 0 : direction(A, V);
    default:
      return 0;
    }
  }

  bool isOverArguments(const Expr &E) const {
    bool Good = true;
    walkExprs(E, [&](const Expr &N) {
      if (N->Kind == ExprKind::Load || N->Kind == ExprKind::Origin)
        Good = false;
      else if (N->Kind == ExprKind::Extent)
        Good &= ParamOf.contains(N->T);
      else if (N->Kind == ExprKind::Var)
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
        Tiles[{Param->second, *Dim}].insert(*Value);
    }
  }

  /// Tensors that are cut into blocks side by side are taken to be equally long.
  void blocksExist(const View &V) {
    for (unsigned D = 0; D < V.Slices.size() && !V.Fill; ++D)
      if (const Slice &S = V.Slices[D]; S.Block && S.Index)
        if (std::optional<ExtentRef> Whole = wholeExtent(V.Base, D))
          if (Expr Most = smallest(largest(simplify(rooted(S.Index)))))
            if (Expr End = endOfBlock(Most, rooted(S.Block)))
              Bounds[*Whole].push_back({End, Strength::Block});
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

/// `tile_m` cuts dimension 0 of C: the name of C[0] is M.
std::map<ExtentRef, std::string> namesFromTunables(const Program &P) {
  std::map<ExtentRef, std::string> Names;
  std::map<TensorRef, unsigned> ParamOf;
  for (unsigned I = 0; I < P.Entry->Params.size(); ++I)
    if (P.Entry->Params[I].isTensor())
      ParamOf[P.Entry->Params[I].Tensor] = I;
  walkStmts(P.Entry->Body, [&](const Stmt &S) {
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
  Orderer(ShapeRelations &R, BoundCollector &Found, const Program &P) : R(R) {
    for (unsigned I = 0; I < P.Params.size(); ++I) {
      if (!P.Params[I].isTensor())
        continue;
      ParamOf[P.Params[I].Tensor] = I;
      for (unsigned D = 0; D < P.Params[I].Tensor->Rank; ++D) {
        ExtentRef Ref{I, D};
        EntryExtent E{Ref, P.Params[I].Name + "[" + std::to_string(D) + "]", "", {}, {}};
        E.Tiles.assign(Found.Tiles[Ref].begin(), Found.Tiles[Ref].end());
        Waiting.emplace(Ref, std::move(E));
        takeBounds(Ref, Found.Bounds[Ref]);
      }
    }
  }

  /// A bound by the extent itself says nothing.
  void takeBounds(const ExtentRef &Ref, const std::vector<Bound> &All) {
    std::optional<Strength> Skipped;
    for (Strength S : {Strength::Access, Strength::Conditional, Strength::Block}) {
      if (S == Skipped)
        continue;
      std::set<std::string> Seen;
      bool Any = false;
      for (const Bound &B : All) {
        if (B.S != S)
          continue;
        bool Own = false;
        walkExprs(B.AtLeast, [&](const Expr &N) {
          Own |= N->Kind == ExprKind::Extent && ParamOf.contains(N->T) &&
                 ExtentRef{ParamOf.at(N->T), N->Dim} == Ref;
        });
        Any |= Own;
        if (!Own && Seen.insert(toString(B.AtLeast)).second)
          Bounds[Ref].push_back(B.AtLeast);
      }
      if (Bounds.contains(Ref))
        return;
      // Where loops run over the extent itself, what happens under conditions adds nothing.
      if (Any && S == Strength::Access)
        Skipped = Strength::Conditional;
    }
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

void giveShortNames(ShapeRelations &R, const Program &P) {
  std::map<std::string, unsigned> Uses;
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

const EntryExtent *ShapeRelations::find(std::string_view Name) const {
  for (const EntryExtent &E : Extents)
    if (upper(E.Name) == upper(Name) || (!E.ShortName.empty() && E.ShortName == upper(Name)))
      return &E;
  return nullptr;
}

ShapeRelations shapeRelations(const Program &P) {
  ShapeRelations R;
  R.Params = P.Params;
  BoundCollector Found(P);
  Found.run();
  Orderer Order(R, Found, P);
  Order.run();
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
    Given[E.Ref] = std::max<std::int64_t>(*Size, 0);
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

std::string toString(const ShapeRelations &R) {
  std::string Text;
  for (const EntryExtent &E : R.Extents) {
    Text += E.Name;
    if (!E.ShortName.empty())
      Text += " (" + E.ShortName + ")";
    if (E.isFree())
      Text += " free";
    for (const Expr &B : E.AtLeast)
      Text += " >= " + toString(B);
    if (!E.Tiles.empty()) {
      Text += ", blocks of";
      for (std::int64_t T : E.Tiles)
        Text += " " + std::to_string(T);
    }
    Text += "\n";
  }
  return Text;
}

} // namespace septran::compiler
