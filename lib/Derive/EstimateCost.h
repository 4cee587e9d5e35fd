//===- EstimateCost.h - how long a mapped program takes, about --*- C++ -*-===//
//
// A static model that ranks mappings of one program on one machine. It counts what the planned
// loops do, for nominal extents of the caller's tensors, in cycles of one core:
//
//   arithmetic  vector instructions and scalar ones; sums that wait for each other
//   accesses    loads and stores that remain after those that loops repeat without need are shared;
//               elements that lie apart along the lanes count one by one
//   traffic     bytes that cross each level of the caches: those of the largest loop whose data
//   fits,
//               times the iterations of the loops around it; nothing beyond a level that holds all;
//               so much of a row of memory as has come before a prefetcher follows it costs more,
//               and so do rows side by side, more than one can follow; less where lines are asked
//               for ahead, but for the pages that they are on and as many as the nearest cache
//               waits for; rows that displace each other from it leave less for the others
//   processors  loops that are spread, how evenly their iterations divide, and what starting them
//   costs
//
// Figures are good for comparing programs, not as predictions. Numbers of the machine come from its
// file: `simd_bytes` and the cache memory's capacity; the others are those of a usual core.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Derive/TypicalSizes.h"

namespace septran::compiler {

/// What leaves ask for ahead (`prefetch`).
enum class Asking {
  AsMapped,
  WhereItHelps, ///< all that they read in place, row after row
};

/// Cycles, the geometric mean of several calls. `P` has been through the passes up to `allocate`.
double estimateCost(const Program &P, const std::vector<NominalSizes> &Calls,
                    Asking A = Asking::AsMapped);

} // namespace septran::compiler
