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
#include <string>

namespace septran::emulator {

/// The threads of a warp by lane; null where the last warp of a block has none.
using lane_list = std::array<thread_state *, warp_threads>;

/// The meeting place of the threads of one segment.
gathering &segment_of(block_state &block, int rank, int width);
/// "the warp", "a segment of 8".
std::string segment_text(int width);

/// Who takes part in a collective: the lanes of one segment of `width`; `whole` demands that none
/// is missing at the end of the block.
struct participants {
  int width = warp_threads;
  bool whole = false;
};

/// Gathers the running thread's segment of its warp. The last to come calls `work`, which finds in
/// every thread its operand and the place for its result; lanes of other segments are null. Fails
/// if a lane has ended or does something else.
void warp_collective(const char *kind, const void *where, participants who,
                     const std::function<void(const lane_list &)> &work);

} // namespace septran::emulator

#endif // SEPTRAN_RUNTIME_EMULATOR_COLLECTIVE_H
