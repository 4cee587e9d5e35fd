//===- npu/simulator/clocks.h - what is known to have happened ----*- C++ -*-===//
//
// Vector clocks over all engines of all cores. Every command of an engine has a number; a clock
// says for each engine up to which number its commands are known to have ended. An access is
// ordered after an earlier one if the clock of its engine has reached the number of that one. What
// is found does not depend on any schedule: commands that nothing orders are in conflict in every
// run.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_NPU_SIMULATOR_CLOCKS_H
#define SEPTRAN_NPU_SIMULATOR_CLOCKS_H

#include <septran/npu/reference_npu.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace septran::npu::simulator {

inline constexpr int engine_count = 5;
inline constexpr int core_count = 4;
inline constexpr int clock_count = engine_count * core_count;

inline const char *engine_name(int engine) {
  constexpr const char *names[] = {"SCALAR", "LOAD", "STORE", "MATRIX", "VECTOR"};
  return engine >= 0 && engine < engine_count ? names[engine] : "?";
}

/// An engine of a core, as a position in clocks.
inline int clock_of(int core, int engine) { return core * engine_count + engine; }

struct clock {
  std::array<std::uint32_t, clock_count> known{};

  void join(const clock &other) {
    for (int i = 0; i < clock_count; ++i)
      known[std::size_t(i)] = std::max(known[std::size_t(i)], other.known[std::size_t(i)]);
  }
};

/// One command: the engine and its number there. Number 0: none.
struct command {
  int engine = 0; ///< position in clocks
  std::uint32_t number = 0;

  bool before(const clock &now) const { return number <= now.known[std::size_t(engine)]; }
  std::string text() const {
    return std::string(engine_name(engine % engine_count)) + " command " + std::to_string(number) +
           " of core " + std::to_string(engine / engine_count);
  }
};

} // namespace septran::npu::simulator

#endif
