//===- fiber.cpp - Switching between threads of a kernel ------------------===//

#include "fiber.h"

#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace septran::emulator {

static std::size_t page_bytes() { return std::size_t(sysconf(_SC_PAGESIZE)); }

fiber_stack::fiber_stack() {
  // Pages of a stack that nobody touches cost nothing.
  void *memory = mmap(nullptr, bytes + page_bytes(), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  mprotect(memory, page_bytes(), PROT_NONE);
  begin_ = static_cast<unsigned char *>(memory) + page_bytes();
}

fiber_stack::fiber_stack(fiber_stack &&other) noexcept : begin_(other.begin_) {
  other.begin_ = nullptr;
}

fiber_stack::~fiber_stack() {
  if (begin_ != nullptr)
    munmap(begin_ - page_bytes(), bytes + page_bytes());
}

#ifndef SEPTRAN_EMULATOR_UCONTEXT

// System V ABI, AMD64 supplement, section 3.2.1: a callee preserves rbx, rbp and r12 to r15.
extern "C" void septran_emulator_switch(void **from, void *to);
asm(R"(
.text
.p2align 4
.globl septran_emulator_switch
.hidden septran_emulator_switch
.type septran_emulator_switch, @function
septran_emulator_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size septran_emulator_switch, .-septran_emulator_switch
)");

void fiber::prepare(const fiber_stack &stack, void (*entry)()) {
  // A function is entered with the stack pointer 8 below a multiple of 16, as if it was called.
  void **top = reinterpret_cast<void **>(stack.end() - 64);
  *--top = nullptr;
  *--top = reinterpret_cast<void *>(entry);
  for (int preserved = 0; preserved < 6; ++preserved)
    *--top = nullptr;
  stack_pointer = top;
}

void switch_fiber(fiber &from, fiber &to) {
  septran_emulator_switch(&from.stack_pointer, to.stack_pointer);
}

#else

void fiber::prepare(const fiber_stack &stack, void (*entry)()) {
  getcontext(&context);
  context.uc_stack.ss_sp = stack.begin();
  context.uc_stack.ss_size = fiber_stack::bytes;
  context.uc_link = nullptr;
  makecontext(&context, entry, 0);
}

void switch_fiber(fiber &from, fiber &to) { swapcontext(&from.context, &to.context); }

#endif

} // namespace septran::emulator
