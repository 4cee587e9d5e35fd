//===- MatrixLoads.h - fragments loaded by the threads of a warp -*- C++ -*-===//
//
// A primitive that only copies elements into a fragment, such as ldmatrix: every thread names the
// place of a few neighbouring elements, and receives others. The operand that is read has a layout
// of threads too, without registers: `[8@1, 2@8] x [8, 2@16]` says that thread l names the 8
// neighbours that begin at row l % 8 + l / 8 % 2 * 8 and column l / 16 % 2 * 8.
//
// Such a primitive can make a copy into registers if what it leaves in them is what they hold, for
// one or two fragments at a time. Only the size of elements matters.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Digits.h"
#include "Machine/Machine.h"

#include <optional>
#include <vector>

namespace septran::compiler {

struct MatrixLoad {
  const Primitive *Prim = nullptr;
  std::string To, From;       ///< names of the operands
  std::vector<unsigned> Dims; ///< per dimension of the operands: that of the tensor
  Fragment Names;             ///< per dimension of the tensor: the digits of the place
  std::vector<std::int64_t> Steps; ///< per dimension of the tensor: elements of one load
  unsigned Contiguous = 0;    ///< dimension of the tensor along which the neighbours lie
  std::int64_t Neighbours = 1;
  int Double = -1; ///< dimension along which a load fills two fragments; -1: it fills one
};

/// The primitives of M that can load from this memory a tensor whose registers are divided so, the
/// one that moves most at a time first.
std::vector<MatrixLoad> matrixLoads(const Machine &M, std::string_view FromMemory,
                                    std::string_view ToMemory, std::int64_t ElementBytes,
                                    const std::vector<Digits> &Parts);

} // namespace septran::compiler
