//===- PrimitiveTiles.h - loops of a leaf in steps of a primitive -*- C++ -*-===//
//
// A loop of the primitive runs to a number, or to a size that the primitive accepts in a range. The
// leaf's loop is cut into tiles of that many iterations. Where the last one may be smaller and the
// primitive takes no such size, its partial-tile rule decides: none is an error, pad computes on
// padded copies, mask passes the real extents.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/TensorTable.h"
#include "Plan/Unify.h"

#include <optional>
#include <set>

namespace septran::compiler {

struct Tile {
  std::int64_t Size = 1; ///< iterations of a full tile
  Expr Tiles;            ///< how many there are; null: exactly one
  VarRef Index;          ///< which one it is; null if there is exactly one
  Expr Start;            ///< first iteration: Index * Size, or 0 if there is at most one
  Expr Count;            ///< iterations of this tile
  bool Clipped = false;  ///< Count may be less than Size
  bool Padded = false;   ///< and the primitive runs over Size all the same
  Expr IsFull;           ///< of padded tiles: Count is Size; null if it never is
  Expr Bound;            ///< iterations of all tiles together; null if there is exactly one

  /// The same tile, if it is full.
  Tile full() const;
};

/// One per loop of the primitive. On failure `Problem` says what does not fit.
std::optional<std::vector<Tile>> tilesFor(const Unification &U, const LeafForm &Leaf,
                                          const PrimitiveForm &Prim, const TensorTable &Tensors,
                                          std::string &Problem);

/// Iterations of loop P beyond the end, on operands that are zero there, leave the primitive's
/// results as they are. Zero: the operands that are zero there; null if all are.
bool zerosAddNothing(const PrimitiveForm &Prim, unsigned P, const std::set<TensorRef> *Zero = nullptr);

} // namespace septran::compiler
