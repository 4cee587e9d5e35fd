//===- septran/cpu/team_block.h - Blocks for a team of threads --*- C++ -*-===//
//
// Large blocks waste least, and leave threads without work where there are few.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_TEAM_BLOCK_H
#define SEPTRAN_CPU_TEAM_BLOCK_H

#include <septran/cpu/index.h>

#include <algorithm>

namespace septran::cpu {

/// The size of blocks of `elements` elements that a team of `threads` shares, in steps of `step`
/// elements: as few blocks as `most` elements allow, or so many more that the thread that has most
/// to do has no more than a sixteenth more than with others. `others` times all of these are shared
/// together, and more than one thread share at least `per_thread` blocks each, if there are so many
/// steps. At least 1.
inline std::ptrdiff_t team_block(std::ptrdiff_t elements, std::ptrdiff_t others,
                                 std::ptrdiff_t most, std::ptrdiff_t step,
                                 std::ptrdiff_t per_thread = 1,
                                 std::ptrdiff_t threads = max_thread_count()) {
  const std::ptrdiff_t enough = std::max<std::ptrdiff_t>(8, per_thread); // blocks for each thread
  const std::ptrdiff_t steps = std::max<std::ptrdiff_t>(1, ceil_div(elements, step));
  others = std::max<std::ptrdiff_t>(1, others);
  const auto longest = [=](std::ptrdiff_t size) {
    return ceil_div(others * ceil_div(steps, size), threads) * size;
  };
  std::ptrdiff_t blocks = ceil_div(steps, most / step);
  if (threads > 1 && per_thread > 1)
    blocks = std::clamp(ceil_div(per_thread * threads, others), blocks, steps);
  std::ptrdiff_t best = ceil_div(steps, blocks);
  while (others * blocks < enough * threads && blocks < steps) {
    const std::ptrdiff_t size = ceil_div(steps, ++blocks);
    if (longest(size) * 16 < longest(best) * 15)
      best = size;
  }
  return best;
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_TEAM_BLOCK_H
