//===- Scratchpads.h - passes for machines with explicit memories -*- C++ -*-===//
//
// Steps of the middle end that only such machines need (Machine::hasScratchpads): buffers of
// constant size at addresses that the compiler chooses, processors that are started, engines that
// only events order, and states that must be set.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"

namespace septran::compiler {

/// Part of allocate. Buffers in memories with addresses get constant extents where they have
/// bounds, and rows that start at multiples of the memory's granule; the buffer as it was becomes a
/// view.
void fixBufferSizes(Program &P);

/// Begins simplify. What stands between loops that spread, and works in memories that only a started
/// processor has, becomes a spread loop of one iteration: no copy leaves it, and none made in it is
/// there for another.
void formLaunches(Program &P);

/// Parts of synchronise, in this order.

/// In every launch: which engine waits for which, and where. Reports what such processors cannot
/// run.
void deriveEvents(Program &P, Diagnostics &D);
/// Sets states where primitives need them and they may not be set.
void setStates(Program &P);

} // namespace septran::compiler
