//===- collective.h - Instructions of a whole warp ---------------*- C++ -*-===//
//
// The meeting of a warp's threads, for shuffles, votes and matrix instructions.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_RUNTIME_EMULATOR_COLLECTIVE_H
#define SEPTRAN_RUNTIME_EMULATOR_COLLECTIVE_H

#include "state.h"

#include <array>
#include <functional>

namespace septran::emulator {

/// The threads of a warp by lane; null where the last warp of a block has none.
using lane_list = std::array<thread_state *, warp_threads>;

/// Gathers the warp of the running thread. The last to come calls `work`, which finds in every
/// thread its operand and the place for its result. Fails if a lane has ended or does something
/// else, and, with `all_lanes`, if the warp is not whole.
void warp_collective(const char *kind, const void *where, bool all_lanes,
                     const std::function<void(const lane_list &)> &work);

} // namespace septran::emulator

#endif // SEPTRAN_RUNTIME_EMULATOR_COLLECTIVE_H
