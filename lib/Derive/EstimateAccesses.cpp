//===- EstimateAccesses.cpp - loads and stores ----------------------------===//
#include "Derive/Estimator.h"

#include "Plan/LaneLegality.h"
#include "Plan/LeafStores.h"

#include <algorithm>
#include <cmath>

namespace septran::compiler {

namespace {

/// What a vector costs that lies in two lines of memory, as most of those do of which lanes are
/// picked out.
constexpr double AcrossLines = 1.5;
/// Reading an element into its lane, beside the load.
constexpr double GatherCycles = 1.5;
/// Rows that are interleaved at most.
constexpr std::int64_t MaxInterleaved = 4;
/// What passes by the caches must fill lines, but for the ends of rows that are so long
/// (cpu::fill_lines).
constexpr double LongRowBytes = 4096;
/// Of accesses to more rows at a time than Streams.
constexpr double StreamFactor = 2;

} // namespace

bool Estimator::isRegister(const TensorRef &Root) const {
  auto A = Allocs.find(Root);
  if (A == Allocs.end())
    return false;
  const Memory *M = P.Target->findMemory(A->second->Memory);
  return M && M->Registers;
}

const LayoutMode *Estimator::lanesOfTile(const Alloc &A) {
  const bool HasLanes = A.Layout && !A.Layout->Modes.empty() &&
                        A.Layout->Modes.back().P == LayoutMode::Part::Remainder;
  return HasLanes ? &A.Layout->Modes.back() : nullptr;
}

bool Estimator::isOneLane(const TensorRef &T) const {
  const TensorRef Root = Values.rootElement(T, {}).Root;
  if (!isRegister(Root) || !lanesOfTile(*Allocs.at(Root)))
    return false;
  for (int L = Innermost; L >= 0; L = Loops[L].Parent)
    if (Loops[L].Lanes)
      return false;
  return true;
}

const BufferLayout *Estimator::layoutOf(const TensorRef &Root) const {
  auto Own = Allocs.find(Root);
  const BufferLayout *Layout = Own == Allocs.end() ? nullptr : Own->second->Layout.get();
  return Layout && !Layout->Modes.empty() ? Layout : nullptr;
}

std::int64_t Estimator::interleaved(const TensorRef &Root) const {
  const BufferLayout *Layout = layoutOf(Root);
  const bool Is = Layout && Layout->Modes.size() > 1 &&
                  Layout->Modes.back().P == LayoutMode::Part::Remainder &&
                  Layout->Modes.back().Split <= MaxInterleaved;
  return Is ? Layout->Modes.back().Split : 1;
}

unsigned Estimator::lanesOf(const TensorRef &Root) const {
  const BufferLayout *Layout = layoutOf(Root);
  if (!Layout)
    return std::max(1u, Root->Rank) - 1;
  return (Layout->Modes.rbegin() + (interleaved(Root) > 1))->Dim;
}

bool Estimator::spills(const Alloc &A) {
  const Memory *M = P.Target->findMemory(A.Memory);
  const LayoutMode *Lanes = lanesOfTile(A);
  double Vectors = 1, Row = 1;
  for (unsigned Dim = 0; Dim < A.Bounds.size(); ++Dim) {
    const double Here = Lanes && Lanes->Dim == Dim
                            ? std::ceil(double(A.Bounds[Dim]) / double(Lanes->Split))
                            : double(A.Bounds[Dim]);
    Vectors *= Here;
    if (Lanes && Lanes->Dim == Dim)
      Row = Here;
  }
  InRegisters += Vectors;
  if (Vectors == Row)
    Row = 1;
  return InRegisters + Row + 1 > double(M->Registers->Value.Count);
}

void Estimator::accessView(const View &V, const std::vector<Expr> &Indices, bool Write) {
  Nominal::Element E = Values.through(V, Indices);
  addAccess(E.Root, E.Indices, Write);
}

void Estimator::accessAll(const View &V, bool Write) {
  const int Before = Innermost;
  std::vector<Expr> Indices;
  for (unsigned Dim = 0; Dim < V.rank(); ++Dim) {
    LoopAt L;
    L.V = makeVar("e", ScalarType::I64, VarKind::Loop);
    L.Trip = L.Effective = std::max(0.0, mean(V.extent(Dim)));
    L.Most = std::max(L.Trip, Values.of(V.extent(Dim)));
    L.Vectors = 0;
    Values.set(L.V, 0);
    Indices.push_back(varExpr(L.V));
    enter(std::move(L));
  }
  accessView(V, Indices, Write);
  Innermost = Before;
}

void Estimator::access(const TensorRef &T, const std::vector<Expr> &Indices, bool Write,
                       StoreKind Way) {
  Nominal::Element E = Values.rootElement(T, Indices);
  const size_t Before = Accesses.size();
  addAccess(E.Root, E.Indices, Write, Way);
  if (Accesses.size() == Before)
    return;
  if (const std::optional<Record> R = InLanes ? InLanes->find(T, Indices) : std::nullopt;
      R && (R->RowsOf < 0 || Values.extent(T, R->RowsOf + 1) == R->Size)) {
    Accesses.back().Record = R->Size;
    Accesses.back().WholeRecord = Write ? InLanes->isStoredWhole(T, Indices) : R->Whole;
  } else if (const std::int64_t Rows = interleaved(E.Root); Rows > 1 && hasLanes(Accesses.back())) {
    Accesses.back().Record = Rows; // one row's elements are picked out of those of all
  }
  Accesses.back().InLeaf = Leaf.Is;
  Accesses.back().Asks = Leaf.Asks.count(T) != 0;
}

void Estimator::addAccess(const TensorRef &Root, const std::vector<Expr> &Indices, bool Write,
                          StoreKind Way) {
  if (isRegister(Root))
    return;
  AccessAt A;
  A.Root = Root;
  A.Number = Numbers.try_emplace(Root, Numbers.size()).first->second;
  A.Loop = Innermost;
  A.Write = Write;
  A.Packed = Allocs.count(Root) != 0;
  const unsigned Contiguous = lanesOf(Root);
  for (unsigned Dim = 0; Dim < Root->Rank; ++Dim)
    A.Extents.push_back(std::max(1.0, Values.extent(Root, Dim)));
  if (auto Own = Allocs.find(Root); Own != Allocs.end() && Own->second->Layout)
    A.Order = Own->second->Layout->Modes;
  else
    A.Order = rowLayout(Root->Rank).Modes;
  double Apart = 1;
  A.Strides.assign(Root->Rank, 1);
  for (unsigned Dim = Root->Rank; Dim > 0; --Dim)
    if (Dim - 1 != Contiguous) {
      if (Apart == 1)
        Apart = Root->Rank ? A.Extents[Contiguous] : 1;
      A.Strides[Dim - 1] = Apart;
      Apart *= A.Extents[Dim - 1];
    }
  for (unsigned Dim = 0; Dim < Root->Rank && Dim < Indices.size(); ++Dim) {
    A.Moves.emplace_back();
    for (int L = Innermost; L >= 0; L = Loops[L].Parent)
      if (double By = !Loops[L].V ? 0 : Values.difference(Indices[Dim], Loops[L].V); By != 0)
        A.Moves.back()[L] = By;
  }
  A.Moves.resize(Root->Rank);
  double Bytes = byteSize(Root->Element);
  for (double Extent : A.Extents)
    Bytes *= Extent;
  std::vector<double> Row;
  for (unsigned Dim = 0; Dim < Root->Rank && Dim < Indices.size(); ++Dim)
    if (Dim != Contiguous)
      Row.push_back(Values.of(Indices[Dim]));
  Rows[{A.Number, A.Loop}].insert(std::move(Row));
  A.Streamed =
      Way == StoreKind::Streaming ||
      (Way == StoreKind::BySize && Bytes >= double(streamingBytes(*P.Target)) && fillsLines(A));
  Accesses.push_back(std::move(A));
}

bool Estimator::fillsLines(const AccessAt &A) {
  const double Row = A.Extents.empty() ? 0 : A.Extents.back() * byteSize(A.Root->Element);
  return Row >= LongRowBytes || std::fmod(Row, LineBytes) == 0;
}

bool Estimator::movesWith(const AccessAt &A, int Loop) {
  return std::any_of(A.Moves.begin(), A.Moves.end(),
                     [&](const auto &M) { return M.count(Loop) != 0; });
}

bool Estimator::walksAcross(const AccessAt &A) const {
  int L = A.Loop;
  while (L >= 0 && (Loops[L].Unrolled || !movesWith(A, L)))
    L = Loops[L].Parent;
  return L >= 0 && strideAlong(A, L) == 0;
}

double Estimator::strideAlong(const AccessAt &A, int Loop) {
  double Stride = 1;
  for (size_t Dim = 0; Dim < A.Moves.size(); ++Dim)
    if (auto By = A.Moves[Dim].find(Loop); By != A.Moves[Dim].end()) {
      if (A.Strides[Dim] != 1)
        return 0;
      Stride = std::abs(By->second);
    }
  return Stride;
}

bool Estimator::hasLanes(const AccessAt &A) const {
  for (int L = A.Loop; L >= 0; L = Loops[L].Parent)
    if (Loops[L].Lanes && movesWith(A, L) && runsAlong(A, L))
      return true;
  return false;
}

double Estimator::accessCycles(const AccessAt &A) const {
  double Each = A.Write ? StoreCycles : LoadCycles, Times = 1;
  if (A.Asks)
    Each += LoadCycles;
  if (!A.Packed && A.Beside > Streams)
    Each *= StreamFactor;
  bool Shared = true;   // all loops further in leave the element alone
  bool Unrolled = true; // all of them are, so that what is loaded stays in a register
  for (int L = A.Loop; L >= 0; L = Loops[L].Parent) {
    const bool Moves = movesWith(A, L);
    if (!Loops[L].V) {
      Times *= Loops[L].Vectors;
      continue;
    }
    if (Loops[L].Lanes && Moves) {
      if (A.Transposed)
        Each += std::log2(double(Loops[L].Width));
      else if (A.WholeRecord) // the vectors are shared with the other fields
        Each = Each * AcrossLines + InsertCycles * (A.Record - 1);
      else if (A.Record && !A.Write)
        Each = Each * A.Record * AcrossLines + InsertCycles * (A.Record - 1);
      else if (strideAlong(A, L) != 1)
        Each = (Each + (A.Write ? 0 : GatherCycles)) * Loops[L].Width;
    }
    if (Moves && Loops[L].Unrolled && !A.Packed && Loops[L].Vectors > Streams && !runsAlong(A, L))
      Each *= StreamFactor;
    Unrolled &= Loops[L].Unrolled;
    // Sums along the lanes stay in registers, too.
    if (!Moves && (Unrolled || (Shared && (Loops[L].Lanes || !A.Write))))
      continue;
    Shared = false;
    Times *= Loops[L].Vectors;
  }
  return Each * Times;
}

} // namespace septran::compiler
