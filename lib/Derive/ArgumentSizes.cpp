//===- ArgumentSizes.cpp - windows, strides and extents -------------------===//
#include "Derive/ArgumentSizes.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/LoopNest.h"

#include <algorithm>

namespace septran::compiler {

namespace {

/// Neighbours along one dimension that a window with a constant size reads at most.
constexpr std::int64_t MostInWindow = 16;

class ArgumentFinder {
  const Program &P;
  Nominal Values;
  Nominal Longer;                                 ///< the same with other extents
  std::map<TensorRef, std::vector<Expr>> Buffers; ///< their extents
  std::map<TensorRef, View> Copied;               ///< what they are filled with
  ArgumentSizes Found;

  /// What a number of iterations is made of.
  struct Bound {
    ParameterDims Dims;
    std::optional<unsigned> Scalar; ///< that it is, or nearly
    bool Cut = false; ///< those of one block, whose number is the variable of a loop around
    bool Few = false; ///< a constant that is no larger than windows are
  };
  std::map<VarRef, Bound> Loops;

  std::optional<unsigned> parameter(const TensorRef &T, const VarRef &Scalar = nullptr) const {
    for (unsigned I = 0; I < P.Params.size(); ++I)
      if (P.Params[I].isTensor() ? P.Params[I].Tensor == T : P.Params[I].Scalar == Scalar)
        return I;
    return std::nullopt;
  }

  bool isWritten(unsigned Param) const { return writes(P.Params[Param].Access); }

  void collect(const Expr &E, Bound &B) {
    walkExprs(E, [&](const Expr &Part) {
      if (Part->Kind == ExprKind::Var)
        B.Cut |= Loops.count(Part->V) != 0;
      if (Part->Kind != ExprKind::Extent)
        return;
      if (const View *V = Values.definition(Part->T))
        collect(V->extent(Part->Dim), B);
      else if (auto Own = Buffers.find(Part->T); Own != Buffers.end())
        collect(Own->second[Part->Dim], B);
      else if (std::optional<unsigned> Param = parameter(Part->T))
        B.Dims.insert({*Param, Part->Dim});
    });
  }

  /// The dimension of the caller's tensor along which a dimension of T lies: its own, or what it is copied from.
  std::optional<std::pair<unsigned, unsigned>> callersDim(const TensorRef &T, unsigned Dim) const {
    if (std::optional<unsigned> Param = parameter(T))
      return std::pair{*Param, Dim};
    const auto Source = Copied.find(T);
    if (Source == Copied.end())
      return std::nullopt;
    std::vector<Expr> Indices(T->Rank, intLit(0));
    const VarRef Along = makeVar("along", ScalarType::I64, VarKind::Loop);
    Indices[Dim] = varExpr(Along);
    const Nominal::Element E = Values.through(Source->second, Indices);
    const std::optional<unsigned> Param = parameter(E.Root);
    for (unsigned D = 0; Param && D < E.Indices.size(); ++D)
      if (mentions(E.Indices[D], Along))
        return std::pair{*Param, D};
    return std::nullopt;
  }

  /// The index moves by so much with a loop: a stride or dilation.
  bool isFactor(const VarRef &Scalar, const Expr &Index, const std::vector<VarRef> &Vars) {
    return std::any_of(Vars.begin(), Vars.end(), [&](const VarRef &V) {
      if (!Loops.count(V))
        return false;
      Values.set(Scalar, 1);
      const double Once = Values.difference(Index, V);
      Values.set(Scalar, 2);
      return Values.difference(Index, V) != Once;
    });
  }

  /// The index moves with a loop by an extent: it is one of rows that follow each other, of a
  /// tensor in another shape, and they do not overlap.
  bool isOfRows(const Expr &Index, const VarRef &V) {
    return Values.difference(Index, V) != Longer.difference(Index, V);
  }

  void visitAccess(const TensorRef &T, const std::vector<Expr> &Indices) {
    const Nominal::Element E = Values.rootElement(T, Indices);
    const std::optional<unsigned> Root = parameter(E.Root);
    for (unsigned Dim = 0; Dim < E.Indices.size(); ++Dim) {
      const Expr &Index = E.Indices[Dim];
      bool CountsResults = false, IsWindow = false, LieApart = false;
      ParameterDims Windows, Results;
      std::vector<const Bound *> Walking;
      const std::vector<VarRef> Vars = collectVars(Index);
      for (const VarRef &V : Vars) {
        if (std::optional<unsigned> Param = parameter(nullptr, V); Param && isFactor(V, Index, Vars))
          Found.Windows.insert({*Param, 0});
        auto Loop = Loops.find(V);
        if (Loop == Loops.end() || Values.difference(Index, V) == 0 || isOfRows(Index, V))
          continue;
        Walking.push_back(&Loop->second);
        LieApart |= Values.difference(Index, V) >= 2;
        IsWindow |= Loop->second.Few;
        const ParameterDims &Dims = Loop->second.Dims;
        if (std::any_of(Dims.begin(), Dims.end(), [&](auto D) { return isWritten(D.first); })) {
          CountsResults = true;
          Results.insert(Dims.begin(), Dims.end());
        } else if (!Loop->second.Cut && Values.difference(Index, V) == 1 &&
                 std::none_of(Dims.begin(), Dims.end(), [&](auto D) { return D.first == Root; }))
          Windows.insert(Dims.begin(), Dims.end());
      }
      if (Walking.size() == 1 && Walking[0]->Scalar)
        Found.Extents.insert(*Walking[0]->Scalar);
      if (CountsResults && (IsWindow || !Windows.empty())) {
        Found.Images.merge(Results);
        if (const auto Image = callersDim(E.Root, Dim))
          Found.Images.insert(*Image);
        Found.Windows.merge(Windows);
      } else if (LieApart && !CountsResults) { // results that windows add to
        Found.Windows.merge(Windows);
      }
    }
  }

  /// The caller's extent that is all of E.
  std::optional<std::pair<unsigned, unsigned>> callersExtent(const Expr &E) const {
    if (E->Kind == ExprKind::Cast)
      return callersExtent(E->Args[0]);
    const std::optional<unsigned> Param = E->Kind == ExprKind::Extent ? parameter(E->T) : std::nullopt;
    return Param ? std::optional(std::pair{*Param, E->Dim}) : std::nullopt;
  }

  bool isFew(const Expr &Elements) const {
    const std::optional<std::int64_t> Number = Elements ? constantValue(Elements) : std::nullopt;
    return Number && *Number > 0 && *Number < MostInWindow;
  }

  /// Blocks of a result, each with a few elements around what it lies over: an image.
  void visitWindow(const View &V) {
    for (unsigned Dim = 0; V.Fill && Dim < V.Slices.size(); ++Dim) {
      const Slice &S = V.Slices[Dim];
      if (!isFew(S.Low) && !isFew(S.High))
        continue;
      ParameterDims Results;
      for (const VarRef &Number : collectVars(S.Offset))
        if (auto Loop = Loops.find(Number); Loop != Loops.end())
          for (const auto &Place : Loop->second.Dims)
            if (isWritten(Place.first))
              Results.insert(Place);
      const auto Image = callersDim(V.Base, Dim);
      if (!Image || Results.empty())
        continue;
      Found.Images.insert(*Image);
      Found.Images.merge(Results);
    }
  }

  /// One extent divided by another, of another tensor, is the size of a group.
  void visitQuotient(const Expr &E) {
    const auto Of = callersExtent(E->Args[0]), By = callersExtent(E->Args[1]);
    if (Of && By && Of->first != By->first)
      Found.Shared.insert(*By);
  }

  void visit(const Stmt &S) {
    forEachExpr(S, [&](const Expr &E) {
      walkExprs(E, [&](const Expr &Part) {
        if (Part->Kind == ExprKind::Binary && Part->Bin == BinaryOp::Div)
          visitQuotient(Part);
        if (Part->Kind == ExprKind::Load)
          visitAccess(Part->T, Part->Args);
      });
    });
    if (const auto *F = S.getIf<For>()) {
      collect(F->Hi, Loops[F->V]);
      const std::int64_t Trip = constantTrip(*F).value_or(0);
      Loops[F->V].Few = Trip > 1 && Trip <= MostInWindow;
      // The caller's own number of iterations, one more or less; of what is computed from several
      // numbers nothing is known.
      const std::optional<Affine> End = affineForm(F->Hi);
      if (End && End->Terms.size() == 1 && End->Terms[0].second == 1 &&
          End->Terms[0].first->Kind == ExprKind::Var)
        if (std::optional<unsigned> Param = parameter(nullptr, End->Terms[0].first->V)) {
          Loops[F->V].Scalar = Param;
          Loops[F->V].Dims.insert({*Param, 0});
        }
    } else if (const auto *D = S.getIf<Define>()) {
      Values.define(D->T, D->Value);
      Longer.define(D->T, D->Value);
      visitWindow(D->Value);
    } else if (const auto *A = S.getIf<Alloc>())
      Buffers[A->T] = A->Extents;
    else if (const auto *C = S.getIf<CopyStmt>()) {
      Copied.try_emplace(C->Dst.Base, C->Src);
      visitWindow(C->Src);
    } else if (const auto *St = S.getIf<Store>())
      visitAccess(St->T, St->Indices);
  }

public:
  explicit ArgumentFinder(const Program &P)
      : P(P), Values(P.Params, 1, {}), Longer(P.Params, 2, {}) {}

  ArgumentSizes run() {
    walkStmts(P.Body, [this](const Stmt &S) { visit(S); });
    // What has no other dimensions, such as channels, is not of a network, and may be large; so is what windows
    // move over in one dimension, such as time.
    for (unsigned Param = 0; Param < P.Params.size(); ++Param) {
      auto IsOf = [&](const auto &Image) { return Image.first == Param; };
      const auto Count = std::count_if(Found.Images.begin(), Found.Images.end(), IsOf);
      if (P.Params[Param].isTensor() && (Count == P.Params[Param].Tensor->Rank || Count == 1))
        std::erase_if(Found.Images, IsOf);
    }
    return Found;
  }
};

} // namespace

ArgumentSizes argumentSizes(const Program &P) { return ArgumentFinder(P).run(); }

} // namespace septran::compiler
