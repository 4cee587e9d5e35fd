//===- RandomLeaf.h - some leaf ---------------------------------*- C++ -*-===//
//
// Draws a leaf that writes one tensor and reads others: loop nests with affine and clipped
// accesses, reductions into elements or scalars, recurrences, conditions on positions, scalars and
// exact values. Free of undefined behaviour for every extent from 1 and every input: integers are
// bounded before they are multiplied or summed, floating-point values are not converted to integers
// or compared unless they are exact, divisors are not zero.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Verify/LogicTensor.h"
#include "Verify/Random.h"

#include <set>

namespace septran::compiler {

struct LeafRequest {
  std::string Name;
  LogicTensor Out;
  bool Update = false; ///< combines with old values of Out, which must have some
  std::vector<LogicTensor> Ins;
  std::vector<LogicParameter> Scalars; ///< those that it may use
};

struct DrawnLeaf {
  LogicFunction F;
  std::vector<LogicTensor> Params;  ///< with their names in the leaf: Out, then Ins
  std::vector<std::string> Scalars; ///< the names passed after the tensors
  /// Cutting these dimensions into blocks gives the same results, in any order of the blocks ...
  std::set<int> ParallelDims;
  /// ... and cutting these, with the blocks in order.
  std::set<int> SequentialDims;
  bool UsesOrigin = false;
};

DrawnLeaf drawLeaf(const LeafRequest &Request, Random &R);

/// out = weighted sum of neighbours of a: the leaf of a stencil. `Low` and `High` are the halo of
/// the window `a` per dimension of Out.
DrawnLeaf drawStencil(const LeafRequest &Request, const std::vector<int> &Low,
                      const std::vector<int> &High, Random &R);

} // namespace septran::compiler
