//===- FragmentUses.h - leaves on matrix instructions -----------*- C++ -*-===//
//
// A primitive whose operands are fragments (IR/Digits.h) works on the registers of all threads of
// its processor at once. Bound to a leaf, it says of every tensor that takes an operand's place
// which thread holds which element of a tile, and of every loop in which steps its tiles follow.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Machine/Machine.h"
#include "Plan/RegisterTiles.h"
#include "Plan/Unify.h"

#include <optional>
#include <string>
#include <vector>

namespace septran::compiler {

/// A tensor in registers in the place of an operand.
struct FragmentOperand {
  std::string Name; ///< of the operand
  TensorRef Tile;
  Fragment F;
  std::vector<unsigned> Dims;  ///< per dimension of the operand: that of the tile
  std::vector<unsigned> Loops; ///< and the primitive's loop that walks it
  bool Read = false, Written = false;
};

struct FragmentUse {
  const Primitive *Prim = nullptr;
  Location Loc;
  std::vector<FragmentOperand> Operands; ///< in the machine file's order, scalars left out
  std::vector<std::int64_t> Sizes;       ///< per loop of the primitive: its iterations
  std::vector<bool> Reduces;
};

/// Some operand's layout is a fragment.
bool usesFragments(const Primitive &P);

/// The machine file's layouts of these operands are fragments of their shapes; else `Problem` says
/// what is wrong with them.
bool fragmentsAreGood(const PrimitiveForm &Prim, std::int64_t Threads, std::string &Problem);

/// What the match of a leaf with such a primitive asks of its tensors. On failure `Problem` says
/// what does not fit.
std::optional<FragmentUse> fragmentUse(const LeafForm &Leaf, const PrimitiveForm &Prim,
                                       const Unification &Match, const TensorTable &Tensors,
                                       const RegisterTiles &Tiles, std::string &Problem);

/// The tensor in registers that T is, and the dimension of it that T's is; nothing for parts.
std::optional<std::pair<TensorRef, unsigned>> tileDimension(TensorRef T, unsigned Dim,
                                                            const TensorTable &Tensors);

} // namespace septran::compiler
