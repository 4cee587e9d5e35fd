//===- LogicTensor.h - tensors of random logic ------------------*- C++ -*-===//
//
// Dimensions are symbols: all tensors of a function that have symbol s in a dimension have the same
// extent there. Loops and grids of blocks over s follow one of them, the ruler, which is always the
// one that comes first in the entry point's order. So every access says "at least as long as the
// ruler", and a tool that derives the entry's shapes from accesses finds equal extents.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Verify/LogicProgram.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace septran::compiler {

/// A tensor as the function sees it that is being written.
struct LogicTensor {
  std::string Name;
  ScalarType Type = ScalarType::F32;
  std::vector<int> Dims;     ///< one symbol per dimension, all different
  std::map<int, int> Orders; ///< per symbol: rank in the choice of rulers, which is that of the
                             ///< entry point's argument that decides the extent
  std::string Root;          ///< tensor of the function that this is a view of
  bool CanWrite = false;
  bool HasValues = false;  ///< may be read
  bool IsRaw = false;      ///< the caller's values, of any size
  bool IsExact = false;    ///< values without rounding: safe to compare
  bool IsAnchored = false; ///< some access of the program walks all its dimensions
  bool IsLocal = false;

  // What the function did with it.
  bool IsTouched = false, ReadFirst = false, IsWritten = false;
  /// Symbols of dimensions that some access walks whatever happens: a tensor without such an access
  /// may turn out shorter than the ruler, and have fewer blocks.
  std::set<int> Walked;
  std::string Reductions; ///< the operator of its updates as long as there are no other uses

  int orderOf(int Symbol) const {
    auto It = Orders.find(Symbol);
    return It == Orders.end() ? 0 : It->second;
  }
  int dimOf(int Symbol) const {
    auto It = std::find(Dims.begin(), Dims.end(), Symbol);
    return It == Dims.end() ? -1 : int(It - Dims.begin());
  }
};

/// The first tensor in order that has the symbol; null if none has.
inline const LogicTensor *rulerOf(int Symbol, const std::vector<LogicTensor> &Tensors) {
  const LogicTensor *First = nullptr;
  for (const LogicTensor &T : Tensors)
    if (T.dimOf(Symbol) >= 0 && (!First || T.orderOf(Symbol) < First->orderOf(Symbol)))
      First = &T;
  return First;
}

} // namespace septran::compiler
