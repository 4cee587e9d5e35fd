//===- Tensor.cpp - tensors and views ---------------------------*- C++ -*-===//
#include "IR/Tensor.h"

#include "IR/Rewrite.h"

#include <algorithm>
#include <cassert>

namespace septran::compiler {

TensorRef makeTensor(std::string Name, ScalarType Element, unsigned Rank, TensorKind Kind,
                     Location Loc) {
  auto T = std::make_shared<Tensor>();
  T->Name = std::move(Name);
  T->Element = Element;
  T->Rank = Rank;
  T->Kind = Kind;
  T->Loc = std::move(Loc);
  return T;
}

unsigned View::rank() const {
  if (!Reshape.empty())
    return static_cast<unsigned>(Reshape.size());
  return isWhole() ? Base->Rank : static_cast<unsigned>(Dims.size());
}

Expr View::extent(unsigned Dim) const {
  assert(Dim < rank());
  if (!Reshape.empty())
    return Reshape[Dim];
  if (isWhole())
    return extentOf(Base, Dim);
  if (Dims[Dim] < 0)
    return BroadcastExtents[Dim];
  unsigned BaseDim = static_cast<unsigned>(Dims[Dim]);
  return Slices.empty() ? extentOf(Base, BaseDim) : Slices[BaseDim].Extent;
}

Expr View::origin(unsigned Dim) const {
  assert(Dim < rank());
  if (!Reshape.empty()) // positions in the base mean nothing in the reshaped view
    return intLit(0);
  if (isWhole())
    return originOf(Base, Dim);
  if (Dims[Dim] < 0)
    return intLit(0);
  unsigned BaseDim = static_cast<unsigned>(Dims[Dim]);
  Expr Origin = originOf(Base, BaseDim);
  return Slices.empty() ? Origin : Origin + Slices[BaseDim].Offset;
}

View wholeView(const TensorRef &T) {
  View V;
  V.Base = T;
  return V;
}

View explicitView(View V) {
  if (!V.Reshape.empty())
    return V;
  bool WasWhole = V.isWhole();
  if (V.Slices.empty())
    for (unsigned D = 0; D < V.Base->Rank; ++D)
      V.Slices.push_back({intLit(0), extentOf(V.Base, D), nullptr, nullptr, nullptr, nullptr});
  if (WasWhole)
    for (unsigned D = 0; D < V.Base->Rank; ++D)
      V.Dims.push_back(static_cast<int>(D));
  V.BroadcastExtents.resize(V.Dims.size());
  return V;
}

namespace {

bool hasHalo(const Slice &S) { return S.Low || S.High; }

/// S covers a dimension that has the given extent.
bool coversAll(const Slice &S, const Expr &Extent) {
  return !hasHalo(S) && isConstant(S.Offset, 0) && equal(S.Extent, Extent);
}

} // namespace

bool isIdentity(const View &V, const View *BaseIs) {
  if (V.isWhole())
    return true;
  if (!V.Reshape.empty() || V.Fill || V.Dims.size() != V.Base->Rank)
    return false;
  for (unsigned D = 0; D < V.Base->Rank; ++D) {
    if (V.Dims[D] != static_cast<int>(D))
      return false;
    if (!V.Slices.empty() && !coversAll(V.Slices[D], extentOf(V.Base, D)) &&
        !(BaseIs && coversAll(V.Slices[D], BaseIs->extent(D))))
      return false;
  }
  return true;
}

namespace {

/// The part of Outer's dimension Dim that Inner takes.
Slice sliceOf(const View &Inner, unsigned Dim, const View &Outer) {
  if (!Inner.Slices.empty())
    return Inner.Slices[Dim];
  return {intLit(0), Outer.extent(Dim), nullptr, nullptr, nullptr, nullptr};
}

/// The part Inner of the part Outer of a base dimension.
Slice composeSlices(const Slice &Outer, const Slice &Inner, const Expr &BaseExtent) {
  if (coversAll(Inner, Outer.Extent))
    return Outer;
  if (coversAll(Outer, BaseExtent))
    return Inner;
  Slice Result;
  Result.Offset = Outer.Offset + Inner.Offset;
  Result.Extent = Inner.Extent;
  Result.Low = Inner.Low;
  Result.High = Inner.High;
  return Result;
}

/// Inner, with extents and origins of its base spelled as those of Outer.
View inTermsOf(const View &Outer, const View &Inner) {
  Substitution S;
  S.Views[Inner.Base] = Outer;
  View Result = Inner;
  forEachExpr(Result, [&](Expr &E) { E = substitute(E, S); });
  return Result;
}

} // namespace

View compose(const View &Outer, const View &Inner) {
  assert(Outer.rank() == Inner.Base->Rank);
  return composeSubstituted(Outer, inTermsOf(Outer, Inner));
}

View composeSubstituted(const View &Outer, const View &Inner) {
  assert(canCompose(Outer, Inner));
  View Result;
  if (isIdentity(Inner, &Outer)) {
    Result = Outer;
  } else if (isIdentity(Outer)) {
    Result = Inner;
    Result.Base = Outer.Base;
  } else {
    View O = explicitView(Outer);
    Result.Base = O.Base;
    Result.Slices = O.Slices;
    for (unsigned D = 0; D < O.Dims.size(); ++D)
      if (O.Dims[D] >= 0) {
        unsigned BaseDim = static_cast<unsigned>(O.Dims[D]);
        Result.Slices[BaseDim] =
            composeSlices(O.Slices[BaseDim], sliceOf(Inner, D, O), extentOf(O.Base, BaseDim));
      }
    for (unsigned D = 0; D < Inner.Dims.size(); ++D) {
      int Middle = Inner.Dims[D];
      Expr BroadcastExtent;
      if (Middle < 0)
        BroadcastExtent = Inner.BroadcastExtents[D];
      else if (O.Dims[Middle] < 0)
        BroadcastExtent = sliceOf(Inner, static_cast<unsigned>(Middle), O).Extent;
      Result.Dims.push_back(BroadcastExtent ? -1 : O.Dims[Middle]);
      Result.BroadcastExtents.push_back(BroadcastExtent);
    }
    Result.Fill = Outer.Fill ? Outer.Fill : Inner.Fill;
  }
  Result.Loc = Inner.Loc.isValid() ? Inner.Loc : Outer.Loc;
  return Result;
}

bool canCompose(const View &Outer, const View &Inner) {
  if (isIdentity(Inner, &Outer) || isIdentity(Outer))
    return true;
  if (!Outer.Reshape.empty() || !Inner.Reshape.empty())
    return false;
  if (!Inner.Fill || Inner.Slices.empty())
    return true;
  if (Outer.Fill)
    return false;
  View O = explicitView(Outer);
  for (unsigned D = 0; D < Inner.Slices.size(); ++D) {
    if (coversAll(Inner.Slices[D], O.extent(D)) ||
        coversAll(Inner.Slices[D], extentOf(Inner.Base, D)))
      continue;
    if (O.Dims[D] < 0)
      return false;
    unsigned BaseDim = static_cast<unsigned>(O.Dims[D]);
    if (!coversAll(O.Slices[BaseDim], extentOf(O.Base, BaseDim)))
      return false;
  }
  return true;
}

std::vector<Expr> baseIndices(const View &V, const std::vector<Expr> &Indices) {
  assert(V.Reshape.empty() && Indices.size() == V.rank());
  if (V.isWhole())
    return Indices;
  View E = explicitView(V);
  std::vector<Expr> Result;
  for (const Slice &S : E.Slices)
    Result.push_back(S.Offset);
  for (unsigned D = 0; D < E.Dims.size(); ++D)
    if (E.Dims[D] >= 0) {
      Expr &Index = Result[static_cast<unsigned>(E.Dims[D])];
      Index = Index + Indices[D];
    }
  return Result;
}

bool equal(const View &A, const View &B) {
  if (A.Base != B.Base || !equal(A.Fill, B.Fill))
    return false;
  auto Same = [](const std::vector<Expr> &X, const std::vector<Expr> &Y) {
    return std::equal(X.begin(), X.end(), Y.begin(), Y.end(),
                      [](const Expr &P, const Expr &Q) { return equal(P, Q); });
  };
  View X = explicitView(A), Y = explicitView(B);
  return Same(X.Reshape, Y.Reshape) && X.Dims == Y.Dims &&
         Same(X.BroadcastExtents, Y.BroadcastExtents) &&
         std::equal(X.Slices.begin(), X.Slices.end(), Y.Slices.begin(), Y.Slices.end(),
                    [](const Slice &P, const Slice &Q) {
                      return equal(P.Offset, Q.Offset) && equal(P.Extent, Q.Extent);
                    });
}

} // namespace septran::compiler
