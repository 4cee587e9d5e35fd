//===- state.h - A launch while it runs --------------------------*- C++ -*-===//
//
// The threads, warps and blocks of the launch that this host thread is running, and what its
// scheduler needs. Every primitive works on `running`, the thread whose fiber is active, and ends
// in one of three ways: it returns, it waits (the scheduler runs others, and a partner wakes it),
// or it fails, which ends the launch.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_RUNTIME_EMULATOR_STATE_H
#define SEPTRAN_RUNTIME_EMULATOR_STATE_H

#include "banks.h"
#include "fiber.h"
#include "memory.h"
#include "shadow.h"

#include <septran/emulator/control.h>
#include <septran/emulator/runtime.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace septran::emulator {

inline constexpr int warp_threads = 32;
inline constexpr std::size_t shared_alignment = 128;

struct block_state;

/// An asynchronous copy between its issue and the wait that covers it.
struct pending_copy {
  unsigned char *to;
  const unsigned char *from;
  std::size_t bytes;
  std::size_t valid;
  int group;
  bool moved = false; // the data is in place, though nobody may know yet
  knowledge seen;     // of its thread, at the issue
  std::uint32_t step;
  const void *where;
};

struct thread_state {
  explicit thread_state(fiber_stack memory) : stack(std::move(memory)) {}

  emulator::fiber fiber;
  fiber_stack stack;
  block_state *block = nullptr;
  int rank = 0;
  dim3 index;
  bool ended = false;

  // What it waits for, for reports; null while it can run.
  const char *waits_for = nullptr;
  const void *waits_at = nullptr;

  // Its count of its own steps, and what it knows of the others'.
  std::uint32_t step = 1;
  knowledge seen;

  // What it brings to a collective, and where the result goes.
  const void *operand = nullptr;
  void *result = nullptr;

  std::deque<pending_copy> copies;
  int open_group = 0;
};

/// A thread that came to a barrier and did not wait: what it knew, and how far it was.
struct arrival {
  knowledge seen;
  std::size_t rank;
  std::uint32_t step;
};

/// Threads that have come to a collective operation so far.
struct gathering {
  std::string kind;
  int expected = 0;                    // of named barriers
  std::vector<thread_state *> members; // null for those that do not wait
  std::vector<arrival> arrived;
};

struct block_state {
  block_state(dim3 index_, std::uint32_t number_, std::size_t shared_bytes)
      : index(index_), number(number_), shared(shared_bytes, shared_alignment) {}

  dim3 index;
  std::uint32_t number; // in the order of the grid, x fastest
  device_memory shared; // dynamic
  std::map<std::size_t, std::unique_ptr<device_memory>> shared_arrays; // by size

  /// The shared memory that an address lies in or near; null if there is none.
  device_memory *shared_at(std::uintptr_t address);

  std::vector<thread_state> threads;
  std::size_t running = 0; // threads that have not ended
  std::array<gathering, 16> barriers;
  // Of each warp, one for every segment of 32 / n lanes, at n + the segment's number.
  std::vector<std::array<gathering, 2 * warp_threads>> warps;
  bank_counter banks;
};

struct execution {
  execution(const launch_request &launch, const options &chosen)
      : request(launch), settings(chosen), random(chosen.seed) {}

  const launch_request &request;
  const options settings;
  std::mt19937_64 random;
  std::vector<std::unique_ptr<block_state>> blocks; // those that run now
  std::deque<thread_state *> ready;
  std::vector<fiber_stack> stacks; // for later blocks
  emulator::fiber scheduler;
  std::string failure; // the report, once something failed

  int threads_per_block() const { return int(request.block.x * request.block.y * request.block.z); }
  /// True once in `n` times, in random schedules only.
  bool chance(unsigned n) { return settings.schedule == schedule::random && random() % n == 0; }
};

/// The launch of this host thread, and the thread of it that is active; null outside.
extern thread_local constinit execution *current;
extern thread_local constinit thread_state *running;

/// Statistics of all launches, as control.h gives them.
extern statistics totals;
/// Counts launches, and is never reset: the shadow of a memory says which launch it belongs to.
extern std::uint64_t launch_number;

/// Lets others run until `wake` is called for this thread.
void wait(const char *what, const void *where);
void wake(thread_state &thread);
/// Lets others run if the schedule says so.
void maybe_switch();

/// Whether the running thread is inside of the emulator. The linker may take functions of the
/// standard library from code that announces its accesses; those that the emulator makes itself are
/// not the kernel's.
extern thread_local constinit bool inside;

/// The time that the running thread spends in a primitive.
class primitive {
public:
  /// Throws if `function`, which is device code, was called on the host.
  explicit primitive(const char *function);
  primitive(const primitive &) = delete;
  primitive &operator=(const primitive &) = delete;
  ~primitive() { inside = outer_; }

  thread_state &self() const { return *running; }

private:
  bool outer_ = inside;
};

} // namespace septran::emulator

#endif // SEPTRAN_RUNTIME_EMULATOR_STATE_H
