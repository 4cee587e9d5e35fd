//===- CudaCopies.cpp - copies that threads make together -----------------===//
//
// All threads of the group walk the elements of the block, neighbours along the dimension that is
// contiguous in device memory. The walk goes over the largest block, whose extents are constants,
// and leaves out what lies beyond a smaller one: divisions by constants cost little.
//
//===----------------------------------------------------------------------===//
#include "Emit/CudaEmitter.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/Kernels.h"
#include "Plan/RegisterTiles.h"

#include <algorithm>
#include <utility>

namespace septran::compiler {

void CudaEmitter::emitGroupCopy(const CopyStmt &C, const Location &Loc) {
  const Storage &To = storageFor(C.Dst.Base), &From = storageFor(C.Src.Base);
  W.comment("copy " + C.Dst.Base->Name + " <- " + C.Src.Base->Name + ": " + C.Reason + " (" +
            place(Loc) + ")");
  if (To.IsTile || From.IsTile) {
    emitTileCopy(C, To.IsTile);
    return;
  }
  std::optional<ViewStorage> Dst = storageOf(C.Dst, To);
  const View Src = explicitView(C.Src);
  const unsigned Rank = C.Dst.rank();
  std::vector<std::int64_t> Most;
  std::vector<Expr> Extents;
  for (unsigned Dim = 0; Dim < Rank; ++Dim) {
    Extents.push_back(wide(C.Dst.extent(Dim)));
    std::optional<std::int64_t> Bound = upperBound(expandExtents(C.Dst.extent(Dim), Tensors));
    if (!Bound)
      Bound = upperBound(expandExtents(C.Src.extent(Dim), Tensors));
    Most.push_back(Bound.value_or(-1));
  }
  if (!Dst || !C.Src.Reshape.empty() || std::find(Most.begin(), Most.end(), -1) != Most.end()) {
    reportInKernel(Loc, "the copy of " + C.Reason, "a block whose extents are at most constants",
                   D);
    return;
  }
  // Fastest: the dimension along which the source is contiguous, as far as that is known here. What
  // the caller passes has any strides, and most likely rows.
  unsigned Inner = Rank ? Rank - 1 : 0;
  for (unsigned Dim = 0; Dim < Rank; ++Dim)
    if (Src.Dims[Dim] + 1 == int(From.Strides.size()) && Most[Dim] > 1)
      Inner = Dim;
  std::vector<unsigned> Order; // innermost first
  if (Rank)
    Order.push_back(Inner);
  for (unsigned Dim = Rank; Dim > 0; --Dim)
    if (Dim - 1 != Inner)
      Order.push_back(Dim - 1);
  std::int64_t Total = 1;
  for (std::int64_t Bound : Most)
    Total *= Bound;

  const std::string E = Names.fresh("e");
  W.open("for (int " + E + " = " + G.Thread + "; " + E + " < " + std::to_string(Total) + "; " + E +
         " += " + std::to_string(G.All + 1) + ")");
  std::vector<Expr> Indices(Rank);
  std::int64_t Weight = 1;
  std::string Inside;
  for (unsigned Dim : Order) {
    VarRef V = makeVar("c" + std::to_string(Dim), ScalarType::I64, VarKind::Loop);
    std::string Text = E;
    if (Weight > 1)
      Text += " / " + std::to_string(Weight);
    if (Dim != Order.back())
      Text += " % " + std::to_string(Most[Dim]);
    const std::string Name = Names.define(V);
    W.line("const std::ptrdiff_t " + Name + " = " + Text + ";");
    Indices[Dim] = varExpr(V);
    if (constantValue(Extents[Dim]) != Most[Dim])
      Inside = both(Inside, Name + " < " + boundText(Extents[Dim]));
    Weight *= Most[Dim];
  }
  if (!Inside.empty())
    W.open("if (" + Inside + ")");
  std::string Target = Dst->S.Name + "[" + text(wide(Dst->Offset + Dst->S.offsetOf(Indices))) + "]";
  const std::vector<Expr> At = baseIndices(Src, Indices);
  const std::string Within = C.Src.Fill ? insideText(Src, At) : "";
  const std::string Value =
      elementOf(load(C.Src.Base, At)).in(Within.empty() ? Binding::Ternary : Binding::Or);
  W.line(Target + " = " +
         (Within.empty()
              ? Value
              : Within + " ? " + Value + " : " + std::string(cxxName(C.Dst.Base->Element)) + "(" +
                    text(C.Src.Fill) + ")") +
         ";");
  if (!Inside.empty())
    W.close();
  W.close();
}

/// The copy as a leaf would write it: every thread copies the elements that it holds.
void CudaEmitter::emitTileCopy(const CopyStmt &C, bool Into) {
  const View &Outside = Into ? C.Src : C.Dst, &Inside = Into ? C.Dst : C.Src;
  const TensorRef Tile = Inside.Base;
  if (!equal(explicitView(Inside), explicitView(wholeView(Tile)))) {
    reportInKernel(Outside.Loc, "a copy of a part of '" + Tile->Name + "', which lies in registers",
                   "the whole tensor", D);
    return;
  }
  const View From = explicitView(Outside);
  std::vector<Expr> Indices;
  std::vector<For> Loops;
  for (unsigned Dim = 0; Dim < Tile->Rank; ++Dim) {
    For F;
    F.V = makeVar("r", ScalarType::I64, VarKind::Loop);
    F.Lo = intLit(0);
    F.Hi = storageFor(Tile).Extents[Dim];
    F.Exec = LoopExec::Threads;
    F.Parts = Parts.at(Tile)[Dim];
    Indices.push_back(varExpr(F.V));
    Loops.push_back(std::move(F));
  }
  const std::vector<Expr> At = baseIndices(From, Indices);
  Store S;
  S.T = Into ? Tile : Outside.Base;
  S.Indices = Into ? Indices : At;
  S.Value = Into ? load(Outside.Base, At) : load(Tile, Indices);
  Block Body{{S, Outside.Loc}};
  for (size_t I = Loops.size(); I > 0; --I) {
    Loops[I - 1].Body = std::move(Body);
    Body = Block{{std::move(Loops[I - 1]), Outside.Loc}};
  }
  const bool WasLeaf = std::exchange(G.InLeaf, true);
  emitLeafBlock(Body);
  G.InLeaf = WasLeaf;
}

} // namespace septran::compiler
