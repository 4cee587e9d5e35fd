//===- fiber.h - Switching between threads of a kernel -----------*- C++ -*-===//
//
// A fiber is a stack and the registers that a function call preserves. Fibers of one launch run on
// the host thread that launches, one at a time; a switch is a dozen instructions on x86-64 and
// <ucontext.h> elsewhere, or where SEPTRAN_EMULATOR_UCONTEXT is defined: so that it is tested here, too.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_RUNTIME_EMULATOR_FIBER_H
#define SEPTRAN_RUNTIME_EMULATOR_FIBER_H

#include <cstddef>

#if !defined(__x86_64__) && !defined(SEPTRAN_EMULATOR_UCONTEXT)
#define SEPTRAN_EMULATOR_UCONTEXT
#endif

#ifdef SEPTRAN_EMULATOR_UCONTEXT
#include <ucontext.h>
#endif

namespace septran::emulator {

/// Memory for one fiber's stack; the page below it faults.
class fiber_stack {
public:
  static constexpr std::size_t bytes = 256 * 1024;

  fiber_stack();
  fiber_stack(fiber_stack &&other) noexcept;
  fiber_stack &operator=(fiber_stack &&) = delete;
  ~fiber_stack();

  unsigned char *begin() const { return begin_; }
  unsigned char *end() const { return begin_ + bytes; }
  bool contains(const void *p) const { return p >= begin_ && p < begin_ + bytes; }

private:
  unsigned char *begin_;
};

/// Where a fiber, or the scheduler, goes on when it is switched to.
struct fiber {
#ifdef SEPTRAN_EMULATOR_UCONTEXT
  ucontext_t context;
#else
  void *stack_pointer = nullptr;
#endif

  /// Lets the next switch to this fiber call `entry` on the stack; `entry` never returns.
  void prepare(const fiber_stack &stack, void (*entry)());
};

/// Leaves `from` and goes on with `to`.
void switch_fiber(fiber &from, fiber &to);

} // namespace septran::emulator

#endif // SEPTRAN_RUNTIME_EMULATOR_FIBER_H
