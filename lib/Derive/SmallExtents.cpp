//===- SmallExtents.cpp - extents of which calls may have few -------------===//
#include "Derive/SmallExtents.h"

#include "IR/Rewrite.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <set>

namespace septran::compiler {

namespace {

struct Dependents {
  std::set<ExtentRef> Equal; ///< as long as a free extent, and that one
  std::set<unsigned> Params; ///< with extents that are longer where it is
};

Dependents dependentsOf(const ShapeRelations &R, const EntryExtent &Free) {
  std::set<ExtentRef> All = {Free.Ref};
  Dependents Result{All, {Free.Ref.Param}};
  for (const EntryExtent &E : R.Extents) { // those that it depends on come first
    bool Depends = false, IsEqual = E.isTied() && E.AtLeast.size() == 1;
    for (const Expr &Bound : E.AtLeast)
      walkExprs(Bound, [&](const Expr &Part) {
        for (unsigned Param = 0; Part->Kind == ExprKind::Extent && Param < R.Params.size(); ++Param)
          if (R.Params[Param].isTensor() && R.Params[Param].Tensor == Part->T) {
            Depends |= All.count({Param, Part->Dim}) != 0;
            IsEqual &= Result.Equal.count({Param, Part->Dim}) != 0;
          }
      });
    if (!Depends)
      continue;
    All.insert(E.Ref);
    Result.Params.insert(E.Ref.Param);
    if (IsEqual)
      Result.Equal.insert(E.Ref);
  }
  return Result;
}

/// Whether the extents are rows of a result, and an argument does not move with them.
bool areRowsThatReadTheSame(const ShapeRelations &R, const Dependents &D) {
  bool OfResult = false, Reuses = false;
  for (unsigned I = 0; I < R.Params.size(); ++I) {
    const Parameter &P = R.Params[I];
    if (!P.isTensor())
      continue;
    OfResult |= writes(P.Access) && P.Tensor->Rank == 2 && D.Equal.count({I, 0});
    Reuses |= !writes(P.Access) && P.Tensor->Rank >= 2 && !D.Params.count(I);
  }
  return OfResult && Reuses;
}

std::vector<SmallExtent> extentsThat(const ShapeRelations &R,
                                     llvm::function_ref<bool(const Dependents &)> Count) {
  std::vector<SmallExtent> Result;
  for (const EntryExtent &E : R.Extents) {
    if (!E.isFree())
      continue;
    const Dependents D = dependentsOf(R, E);
    if (!Count(D))
      continue;
    SmallExtent &Small = Result.emplace_back();
    Small.Name = E.Name;
    for (const ExtentRef &Ref : D.Equal)
      Small.Equal.push_back(toString(extentOf(R.Params[Ref.Param].Tensor, Ref.Dim)));
  }
  return Result;
}

} // namespace

std::vector<SmallExtent> smallExtents(const ShapeRelations &R) {
  return extentsThat(R, [&](const Dependents &D) { return areRowsThatReadTheSame(R, D); });
}

std::vector<SmallExtent> freeExtents(const ShapeRelations &R) {
  return extentsThat(R, [](const Dependents &) { return true; });
}

} // namespace septran::compiler
