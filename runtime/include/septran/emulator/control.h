//===- septran/emulator/control.h - How kernels are emulated -----*- C++ -*-===//
//
// Which of the possible executions the emulator takes, and what it checks. The environment variable
// SEPTRAN_EMULATOR says so for a program; tests say so by `set_options`.
//
// The text is a list of words with commas between them:
//
//   eager            threads in order, asynchronous copies done when they are issued
//   lazy             threads in reverse, each as far as it gets; copies as late as allowed, the
//                    newest first (this is the default)
//   random:SEED      threads, blocks and copies in a random order; several blocks at a time
//   race=off         does not look for data races
//   undefined=off    lets kernels read what nobody wrote
//   banks            counts bank conflicts and prints them per line at the end of each launch
//   capability=MN    limits of compute capability M.N; 80 is the default
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_EMULATOR_CONTROL_H
#define SEPTRAN_EMULATOR_CONTROL_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace septran::emulator {

enum class schedule { eager, lazy, random };

struct options {
  emulator::schedule schedule = emulator::schedule::lazy;
  std::uint64_t seed = 1;
  bool races = true;
  bool undefined = true;
  bool banks = false;
  int capability = 80;
};

/// Reads the text described above; throws septran::cuda::error on any other.
options parse_options(const std::string &text);

/// The options in force: those last set, else those of the environment.
options current_options();
void set_options(const options &chosen);

/// Lets kernels use memory of the host as global memory, and ends that. Contents count as written.
void share_memory(void *memory, std::size_t bytes);
void unshare_memory(void *memory);

/// What the launches since the last call did. Counts of shared-memory accesses need `banks`.
struct statistics {
  std::uint64_t launches = 0;
  std::uint64_t blocks = 0;
  std::uint64_t waits = 0;             ///< times that the host waited for a stream
  std::uint64_t copies = 0;            ///< asynchronous copies
  std::uint64_t matrix_products = 0;   ///< mma instructions of a warp
  std::uint64_t shared_requests = 0;   ///< shared-memory instructions of a warp
  std::uint64_t shared_wavefronts = 0; ///< passes they took
  std::uint64_t ideal_wavefronts = 0;  ///< passes they would take without conflicts
};
statistics take_statistics();

} // namespace septran::emulator

#endif // SEPTRAN_EMULATOR_CONTROL_H
