//===- EstimateCopies.cpp - copies, row by row or transposed --------------===//
#include "Derive/Estimator.h"

#include "IR/Rewrite.h"

#include <algorithm>
#include <cmath>

namespace septran::compiler {

namespace {

/// Beginning another row of a copy.
constexpr double RowCycles = 4;
/// The side of squares of registers that are transposed.
constexpr double MaxSquare = 16;

} // namespace

double Estimator::copyCycles(const CopyStmt &C) {
  const size_t FirstLoop = Loops.size(), FirstAccess = Accesses.size();
  const CopyLoops Direct = copyLoops(C, std::nullopt);
  if (!Direct.Along)
    return Direct.Cycles;
  Loops.resize(FirstLoop);
  Accesses.resize(FirstAccess);
  return copyLoops(C, Direct.Along).Cycles;
}

double Estimator::rowVectors(const View &To, unsigned Lanes, double Elements, double Width) const {
  auto Own = Allocs.find(To.Base);
  const std::int64_t Split = Own != Allocs.end() && Own->second->Layout
                                 ? Own->second->Layout->splitOf(Lanes)
                                 : 0;
  if (!Split || double(Split) >= Elements)
    return vectors(Elements, Width);
  return std::ceil(Elements / double(Split)) * vectors(double(Split), Width);
}

Estimator::CopyLoops Estimator::copyLoops(const CopyStmt &C, std::optional<unsigned> Transposed) {
  const int Before = Innermost;
  double Vectors = 1;
  const unsigned Rank = C.Dst.rank();
  std::vector<Expr> Indices(Rank);
  std::vector<int> LoopOf(Rank);
  const unsigned Lanes = std::min(lanesOf(C.Dst.Base), std::max(1u, Rank) - 1);
  const double Width = std::max(
      1.0, std::min(SimdBytes / byteSize(C.Dst.Base->Element), Transposed ? MaxSquare : SimdBytes));
  auto Enter = [&](double Trip, double Most, double Effective, double Times) {
    LoopAt L;
    L.V = makeVar("c", ScalarType::I64, VarKind::Loop);
    L.Trip = Trip;
    L.Most = std::max(Most, Trip);
    L.Effective = Effective;
    L.Vectors = Times;
    Vectors *= Times;
    Values.set(L.V, 0);
    const Expr V = varExpr(L.V);
    enter(std::move(L));
    return V;
  };
  std::vector<unsigned> Order; // outermost first
  for (unsigned Dim = 0; Dim < Rank; ++Dim)
    if (Dim != Lanes && Dim != Transposed)
      Order.push_back(Dim);
  if (Transposed)
    Order.push_back(*Transposed);
  if (Rank > 0)
    Order.push_back(Lanes);
  for (unsigned Dim : Order) {
    double Trip = std::max(0.0, mean(C.Dst.extent(Dim))), Most = Values.of(C.Dst.extent(Dim));
    if (Dim == Transposed)
      for (double *Count : {&Trip, &Most})
        *Count = std::ceil(*Count / Width);
    const double Here =
        C.Parallel && Dim == 0 ? std::min(Trip, std::max(1.0, Sizes.Cores / Cores)) : 1;
    const double Effective = Here > 1 ? perCore(Trip, Here) : Trip;
    // moved by vectors, as far as both sides allow
    Indices[Dim] = Enter(Trip, Most, Effective,
                         Dim == Lanes ? rowVectors(C.Dst, Lanes, Effective, Width) : Effective);
    LoopOf[Dim] = Innermost;
    if (Dim == Lanes) {
      Loops.back().Lanes = true;
      Loops.back().Width = unsigned(Width);
    }
  }
  if (Transposed) { // a part of a square is as much work as all of it, and needs masks
    const double Along = mean(C.Dst.extent(*Transposed)), Side = std::min(Width, Along);
    const double Squares = std::ceil(Along / Width);
    Indices[*Transposed] = Indices[*Transposed] * intLit(std::int64_t(Width)) +
                           Enter(Side, Side, Side, Width * vectors(Along, Width) / Squares);
  }
  const double Rows = Rank > 0 && Vectors > 0 ? Vectors / Loops[size_t(LoopOf[Lanes])].Vectors : 0;
  CopyLoops Result{Vectors * Operation + Rows * RowCycles, std::nullopt};
  if (Vectors > 0) {
    accessView(C.Dst, Indices, true);
    const size_t First = Accesses.size();
    accessView(C.Src, Indices, false);
    if (Rank > 0 && First < Accesses.size() && !runsAlong(Accesses[First], LoopOf[Lanes]))
      for (unsigned Dim : Order)
        if (movesWith(Accesses[First], LoopOf[Dim]) && runsAlong(Accesses[First], LoopOf[Dim]))
          Result.Along = Dim;
    if (Transposed)
      Accesses[First].Transposed = true;
  }
  Innermost = Before;
  return Result;
}

} // namespace septran::compiler
