//===- EstimateCost.h - how long a mapped program takes, about --*- C++ -*-===//
//
// A static model that ranks mappings of one program on one machine. It counts what the planned loops
// do, for nominal extents of the caller's tensors, in cycles of one core:
//
//   arithmetic  vector instructions and scalar ones; sums that wait for each other
//   accesses    loads and stores that remain after those that loops repeat without need are shared;
//               elements that lie apart along the lanes count one by one
//   traffic     bytes that cross each level of the caches: those of the largest loop whose data fits,
//               times the iterations of the loops around it; nothing beyond a level that holds all;
//               so much of a row of memory as has come before a prefetcher follows it costs more
//   processors  loops that are spread, how evenly their iterations divide, and what starting them costs
//
// Figures are good for comparing programs, not as predictions. Numbers of the machine come from its
// file: `simd_bytes` and the cache memory's capacity; the others are those of a usual core.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Derive/Nominal.h"

namespace septran::compiler {

struct NominalSizes {
  /// Of the caller's tensor of the highest rank; its root is the extent of every dimension of all.
  double Elements = 1 << 20;
  double LeastExtent = 64;
  double Cores = 8;           ///< where the machine does not say how many
  ArgumentSizes Arguments;
};

/// Cycles. `P` has been through the passes up to `allocate`.
double estimateCost(const Program &P, const NominalSizes &Sizes = {});

/// The geometric mean for tensors that the caches hold and for those that they do not, on one core and
/// on several.
double typicalCost(const Program &P, const ArgumentSizes &Arguments);

} // namespace septran::compiler
