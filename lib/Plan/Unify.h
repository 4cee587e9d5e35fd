//===- Unify.h - a leaf as an instance of a primitive -----------*- C++ -*-===//
//
// Finds which loops of a leaf are those of a primitive and which tensors take the place of its
// operands, such that both compute the same: operators, types, conversions and the type that sums
// are formed in included. Allowed differences are those that change no result beyond the order of a
// reduction:
//
//   names, order of loops, order of the operands of + * min max
//   loops that only the leaf has     they become loops around the primitive
//   an operand's dimensions          may be any dimensions of the tensor, the others being fixed
//   factors that only the primitive has, if they are scalar operands: they become 1
//   updates by = before the matched ones: they run first, in loops of their own
//
// A loop of the leaf stands for "start of the tile + loop of the primitive"; what the tiles are is
// BindPrimitive.h's business.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/PrimitiveForm.h"

#include <string>
#include <vector>

namespace septran::compiler {

/// What takes an operand's place.
struct OperandMatch {
  TensorRef T; ///< null: a scalar, or not matched yet
  /// Per dimension of T: the index of the operand's first element. In the loops of the leaf, where
  /// one that is also the primitive's stands for the start of its tile.
  std::vector<Expr> Offsets;
  std::vector<unsigned> Dims; ///< per dimension of the operand: the dimension of T
  Expr Scalar;                ///< value of a scalar operand
  bool isBound() const { return T || Scalar; }
};

struct Unification {
  unsigned FirstStmt = 0;       ///< of the leaf, that is the first of the primitive
  std::vector<unsigned> LoopOf; ///< per loop of the primitive: that of the leaf
  std::vector<OperandMatch> Operands;
};

struct UnifyResult {
  /// Those that keep the order of dimensions first. Empty if the forms differ.
  std::vector<Unification> Matches;
  std::string Mismatch; ///< the difference that stands in the way of the best attempt
};

UnifyResult unify(const LeafForm &Leaf, const PrimitiveForm &Prim);

} // namespace septran::compiler
