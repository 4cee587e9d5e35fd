//===- PadOperands.h - operands behind the ends of tensors ------*- C++ -*-===//
//
// A primitive with `partial: pad` runs over whole tiles where tensors end sooner. What it reads
// there is one of
//
//   zeros      in a padded copy of the operand, a buffer of its full shape
//   anything   that follows in memory, where it only reaches elements of the result that do not
//              exist, or meets factors that are zero: no copy
//   zeros      with which copies fill the last panel of a buffer: no copy either
//   registers  which have room for whole tiles
//
// and what it writes there goes to a padded copy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/BoundLeaf.h"
#include "Plan/PrimitiveTiles.h"

#include <map>
#include <set>
#include <string>

namespace septran::compiler {

/// A buffer in place of a tile of a tensor.
struct PaddedOperand {
  TensorRef Buffer;
  Block Before; ///< allocates it, and fills it if it is read
  Block After;  ///< copies back what is written
};

class OperandPadding {
  const BoundLeaf &B;
  std::vector<Tile> &Tiles;
  const std::set<std::string> &Placeholders;
  std::map<size_t, bool> ReadsOn; ///< operands without copies; also along reductions
  std::set<size_t> EndsInZeros;   ///< of these: along reductions

public:
  /// Placeholders: of the primitive's template. Tiles that need no copies are not Padded any more.
  /// All arguments must outlive this.
  OperandPadding(const BoundLeaf &B, std::vector<Tile> &Tiles,
                 const std::set<std::string> &Placeholders);

  /// As the tiles are now, operand I needs a padded copy.
  bool isPadded(size_t I) const;

  /// It gets the layout that the operand wants, as all buffers do.
  PaddedOperand pad(const PrimitiveOperand &O, const View &Tile, const Location &Loc) const;

  /// Iterations of the primitive's loops that run to Size.
  Expr sizeOf(const VarRef &Size) const;

private:
  bool isPaddedAlong(size_t I, unsigned P) const;
  bool isRun(size_t I) const;
  bool endsInZeros(size_t I) const;
  bool zerosRemain() const;
  bool needsNoCopies(unsigned P) const;
  std::vector<Expr> shapeOf(const PrimitiveOperand &O) const;
};

} // namespace septran::compiler
