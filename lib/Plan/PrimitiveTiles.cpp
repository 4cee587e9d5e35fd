//===- PrimitiveTiles.cpp - loops of a leaf in steps of a primitive -------===//
#include "Plan/PrimitiveTiles.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/OperandLayout.h"
#include "Plan/RegisterTiles.h"

#include <algorithm>

namespace septran::compiler {

namespace {

bool accepts(const SizeRange &R, std::int64_t N) {
  return N >= R.Min && N <= R.Max && (N - R.Min) % R.Step == 0;
}

/// The smallest of its sizes that computes something.
std::int64_t smallest(const SizeRange &R) { return R.Min > 0 ? R.Min : R.Step; }

/// Sizes to look at for one that fits evenly, or whose remainder the primitive accepts.
constexpr std::int64_t MaxCandidates = 4096;

/// The size for a loop that runs `Trips` times: the largest that leaves no remainder unless that is
/// small, else the largest whose remainder is accepted, else the largest.
std::int64_t chooseSizeOf(const SizeRange &R, std::int64_t Trips) {
  const std::int64_t Top =
      std::max(smallest(R), R.Min + (std::min(Trips, R.Max) - R.Min) / R.Step * R.Step);
  std::int64_t Uneven = 0;
  for (std::int64_t I = 0, N = Top; I < MaxCandidates && N >= smallest(R); ++I, N -= R.Step) {
    if (Trips % N == 0 && N >= Top / 2)
      return N;
    if (Uneven == 0 && (Trips % N == 0 || accepts(R, Trips % N)))
      Uneven = N;
  }
  return Uneven ? Uneven : Top;
}

/// The iterations of a full tile of a loop that runs `Trips` times, at most `Most` times.
std::int64_t chooseSize(const SizeRange &R, std::optional<std::int64_t> Trips,
                        std::optional<std::int64_t> Most) {
  if (Trips && *Trips >= smallest(R))
    return chooseSizeOf(R, *Trips);
  const std::int64_t Largest = R.Max - (R.Max - R.Min) % R.Step;
  if (!Most || *Most > Largest)
    return Largest;
  return *Most <= smallest(R) ? smallest(R) : R.Min + (*Most - R.Min + R.Step - 1) / R.Step * R.Step;
}

/// E is zero where Loop is beyond the end and operands, those in Zero if there is such a set, are zero
/// there. A finite factor does not matter, an infinite one would.
bool isZero(const Expr &E, const VarRef &Loop, const std::set<TensorRef> *Zero) {
  switch (E->Kind) {
  case ExprKind::Load:
    return (!Zero || Zero->count(E->T)) &&
           std::any_of(E->Args.begin(), E->Args.end(), [&](const Expr &Index) {
      return Index->Kind == ExprKind::Var && Index->V == Loop;
    });
  case ExprKind::Cast:
    return isZero(E->Args[0], Loop, Zero);
  case ExprKind::Unary:
    return E->Un == UnaryOp::Neg && isZero(E->Args[0], Loop, Zero);
  case ExprKind::Binary:
    break;
  default:
    return false;
  }
  bool L = isZero(E->Args[0], Loop, Zero), R = isZero(E->Args[1], Loop, Zero);
  if (E->Bin != BinaryOp::Mul)
    return (E->Bin == BinaryOp::Add || E->Bin == BinaryOp::Sub) && L && R;
  return (L && R) || ((L || R) && isInteger(E->Type));
}

class Tiler {
  const Unification &U;
  const LeafForm &Leaf;
  const PrimitiveForm &Prim;
  const TensorTable &Tensors;
  std::string &Problem;

public:
  Tiler(const Unification &U, const LeafForm &Leaf, const PrimitiveForm &Prim,
        const TensorTable &Tensors, std::string &Problem)
      : U(U), Leaf(Leaf), Prim(Prim), Tensors(Tensors), Problem(Problem) {}

  std::optional<std::vector<Tile>> run() {
    std::vector<Tile> Tiles;
    for (unsigned P = 0; P < U.LoopOf.size(); ++P) {
      Tile T;
      if (!cut(P, T))
        return std::nullopt;
      Tiles.push_back(std::move(T));
    }
    return sizesAgree(Tiles) ? std::optional(std::move(Tiles)) : std::nullopt;
  }

private:
  const SizeRange *rangeOf(unsigned P) const {
    const Expr &Extent = Prim.Form.Loops[P].Extent;
    return Extent->Kind == ExprKind::Var ? Prim.Source->Sizes.find(Extent->V->Name) : nullptr;
  }

  /// Loops of the primitive that run to the same size are cut alike, and so are their last tiles.
  bool isShared(unsigned P) const {
    const auto &Loops = Prim.Form.Loops;
    return std::count_if(Loops.begin(), Loops.end(), [&](const FormLoop &L) {
             return equal(L.Extent, Loops[P].Extent) && rangeOf(P);
           }) > 1;
  }

  /// The last tile is one that the primitive accepts, if all others have T.Size iterations.
  bool acceptsRest(unsigned P, std::int64_t Size, const Expr &Extent) const {
    const SizeRange *R = rangeOf(P);
    if (!R || isShared(P))
      return false;
    if (std::optional<std::int64_t> Trips = constantValue(Extent))
      return *Trips % Size == 0 || accepts(*R, *Trips % Size);
    bool Regular = R->Min <= R->Step && R->Min % R->Step == 0 && Size % R->Step == 0;
    return Regular && provablyMultiple(Extent, R->Step, Tensors);
  }

  bool cut(unsigned P, Tile &T) {
    const FormLoop &L = Leaf.Loops[U.LoopOf[P]];
    const SizeRange *R = rangeOf(P);
    const Expr Extent = simplify(expandExtents(L.Extent, Tensors));
    const std::optional<std::int64_t> Trips = constantValue(Extent);
    const std::optional<std::int64_t> Most = upperBound(Extent);
    T.Size = R ? chooseSize(*R, Trips, Most) : *constantValue(Prim.Form.Loops[P].Extent);
    T.Clipped = !provablyMultiple(Extent, T.Size, Tensors);
    if (T.Clipped && !acceptsRest(P, T.Size, Extent) && !partialTile(P, L, T))
      return false;
    const Expr Size = intLit(T.Size);
    const Expr Bound =
        provablyNonNegative(Extent) || isExtent(Extent) ? L.Extent : maxExpr(L.Extent, intLit(0));
    if (Trips && *Trips > 0 && *Trips <= T.Size) {
      T.Start = intLit(0);
      T.Count = intLit(*Trips);
      return true;
    }
    const bool AtMostOne = (Most && *Most <= T.Size) || (R && R->Max == SizeRange::Unlimited);
    if (AtMostOne && !T.Padded && R && R->Min == 0) {
      T.Start = intLit(0);
      T.Count = Bound;
      return true;
    }
    T.Tiles = ceilDiv(Bound, Size);
    T.Bound = Bound;
    T.Index = makeTileVar(*L.V);
    T.Start = AtMostOne ? intLit(0) : varExpr(T.Index) * Size;
    if (!T.Clipped)
      T.Count = Size;
    else
      T.Count = AtMostOne ? Bound : minExpr(Bound - T.Start, Size);
    if (T.Padded)
      T.IsFull = binary(BinaryOp::Ge, simplify(Bound - T.Start), Size);
    return true;
  }

  /// An extent of a tensor, spelled out, cannot be negative.
  bool isExtent(const Expr &E) const {
    for (const OperandMatch &O : U.Operands)
      for (unsigned D = 0; O.T && D < O.T->Rank; ++D)
        if (equal(E, simplify(expandExtents(extentOf(O.T, D), Tensors))))
          return true;
    return false;
  }

  bool partialTile(unsigned P, const FormLoop &L, Tile &T) {
    switch (Prim.Source->PartialRule.Value) {
    case Primitive::Partial::None:
      Problem = notMultiple(P, L, T) + ", and the primitive takes no partial tiles";
      return false;
    case Primitive::Partial::Pad:
      T.Padded = true;
      return !reduces(P) || paddingAddsNothing(P, L, T);
    case Primitive::Partial::Mask:
      return true;
    }
    return false;
  }

  std::string notMultiple(unsigned P, const FormLoop &L, const Tile &T) const {
    const SizeRange *R = rangeOf(P);
    return "loop '" + L.V->Name + "' runs to " + toString(L.Extent) +
           ", which is not known to be a multiple of " +
           std::to_string(R && R->Step > 1 ? R->Step : T.Size);
  }

  bool sizesAgree(const std::vector<Tile> &Tiles) {
    for (unsigned P = 0; P < Tiles.size(); ++P)
      for (unsigned Q = 0; Q < P; ++Q)
        if (rangeOf(P) && equal(Prim.Form.Loops[P].Extent, Prim.Form.Loops[Q].Extent) &&
            (Tiles[P].Size != Tiles[Q].Size || (Tiles[P].Clipped && !Tiles[P].Padded) ||
             (Tiles[Q].Clipped && !Tiles[Q].Padded))) {
          Problem = "size '" + toString(Prim.Form.Loops[P].Extent) +
                    "' would not be the same for loops '" + leafLoop(Q) + "' and '" + leafLoop(P) +
                    "'";
          return false;
        }
    return true;
  }

  const std::string &leafLoop(unsigned P) const { return Leaf.Loops[U.LoopOf[P]].V->Name; }

  //===--- padded reductions ----------------------------------------------------===//

  bool reduces(unsigned P) const { return Prim.Form.Loops[P].Facts.Class == LoopClass::Reduction; }

  /// Iterations beyond the end, on operands that are zero there, leave the result as it is.
  bool paddingAddsNothing(unsigned P, const FormLoop &L, const Tile &T) {
    if (!zerosAddNothing(Prim, P)) {
      Problem = notMultiple(P, L, T) + ", and zeros in its place would change the result";
      return false;
    }
    return true;
  }
};

} // namespace

Tile Tile::full() const {
  Tile T = *this;
  T.Count = intLit(Size);
  T.Clipped = T.Padded = false;
  T.IsFull = nullptr;
  return T;
}

bool zerosAddNothing(const PrimitiveForm &Prim, unsigned P, const std::set<TensorRef> *Zero) {
  return std::all_of(Prim.Form.Stmts.begin(), Prim.Form.Stmts.end(), [&](const FormStmt &S) {
    return std::find(S.Loops.begin(), S.Loops.end(), P) == S.Loops.end() ||
           (S.Op == UpdateOp::Add && isZero(S.Value, Prim.Form.Loops[P].V, Zero));
  });
}

std::optional<std::vector<Tile>> tilesFor(const Unification &U, const LeafForm &Leaf,
                                          const PrimitiveForm &Prim, const TensorTable &Tensors,
                                          std::string &Problem) {
  return Tiler(U, Leaf, Prim, Tensors, Problem).run();
}

} // namespace septran::compiler
