//===- hooks.cpp - Plain accesses of device code --------------------------===//
//
// g++ and clang++ call these functions before every access of code that they compile with
// -fsanitize=thread. The program is linked without that option: what the calls do is checked here,
// for the threads of a kernel only. Accesses to variables that never leave registers or that no
// other function can see are not announced, and need not be.
//
// Interface: LLVM, compiler-rt/lib/tsan/rtl/tsan_interface.h.
//
//===----------------------------------------------------------------------===//

#include "memory.h"
#include "state.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

using septran::emulator::access_kind;

namespace {

inline void plain(const void *address, std::size_t bytes, access_kind kind, const void *where) {
  using namespace septran::emulator;
  if (running == nullptr || inside || bytes == 0)
    return;
  inside = true;
  check_access(address, bytes, kind, where);
  inside = false;
}

} // namespace

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_vptr_read(void **) {}
void __tsan_vptr_update(void **, void *) {}

#define SEPTRAN_ACCESS(name, bytes, kind)                                                          \
  void __tsan_##name(void *address) {                                                              \
    plain(address, bytes, access_kind::kind, __builtin_return_address(0));                         \
  }
#define SEPTRAN_ACCESSES(bytes)                                                                    \
  SEPTRAN_ACCESS(read##bytes, bytes, read)                                                         \
  SEPTRAN_ACCESS(write##bytes, bytes, write)                                                       \
  SEPTRAN_ACCESS(unaligned_read##bytes, bytes, read)                                               \
  SEPTRAN_ACCESS(unaligned_write##bytes, bytes, write)                                             \
  SEPTRAN_ACCESS(volatile_read##bytes, bytes, read)                                                \
  SEPTRAN_ACCESS(volatile_write##bytes, bytes, write)
SEPTRAN_ACCESSES(1)
SEPTRAN_ACCESSES(2)
SEPTRAN_ACCESSES(4)
SEPTRAN_ACCESSES(8)
SEPTRAN_ACCESSES(16)

void __tsan_read_range(void *address, std::size_t bytes) {
  plain(address, bytes, access_kind::read, __builtin_return_address(0));
}
void __tsan_write_range(void *address, std::size_t bytes) {
  plain(address, bytes, access_kind::write, __builtin_return_address(0));
}

void *__tsan_memcpy(void *to, const void *from, std::size_t bytes) {
  plain(from, bytes, access_kind::read, __builtin_return_address(0));
  plain(to, bytes, access_kind::write, __builtin_return_address(0));
  return std::memcpy(to, from, bytes);
}
void *__tsan_memmove(void *to, const void *from, std::size_t bytes) {
  plain(from, bytes, access_kind::read, __builtin_return_address(0));
  plain(to, bytes, access_kind::write, __builtin_return_address(0));
  return std::memmove(to, from, bytes);
}
void *__tsan_memset(void *to, int byte, std::size_t bytes) {
  plain(to, bytes, access_kind::write, __builtin_return_address(0));
  return std::memset(to, byte, bytes);
}

// Atomic accesses of the host's code that was compiled along: the ordinary ones, in the strongest
// order. Device code has septran/cuda/atomic.h.

#define SEPTRAN_FETCH(bits, word, name)                                                            \
  word __tsan_atomic##bits##_fetch_##name(volatile word *p, word value, int) {                     \
    return __atomic_fetch_##name(p, value, __ATOMIC_SEQ_CST);                                      \
  }
#define SEPTRAN_COMPARE(bits, word, name)                                                          \
  int __tsan_atomic##bits##_compare_exchange_##name(volatile word *p, word *expected,              \
                                                    word desired, int, int) {                      \
    return __atomic_compare_exchange_n(p, expected, desired, false, __ATOMIC_SEQ_CST,              \
                                       __ATOMIC_SEQ_CST);                                          \
  }
#define SEPTRAN_ATOMICS(bits, word)                                                                \
  word __tsan_atomic##bits##_load(const volatile word *p, int) {                                   \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                   \
  }                                                                                                \
  void __tsan_atomic##bits##_store(volatile word *p, word value, int) {                            \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                  \
  }                                                                                                \
  word __tsan_atomic##bits##_exchange(volatile word *p, word value, int) {                         \
    return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                                        \
  }                                                                                                \
  SEPTRAN_FETCH(bits, word, add)                                                                   \
  SEPTRAN_FETCH(bits, word, sub)                                                                   \
  SEPTRAN_FETCH(bits, word, and)                                                                   \
  SEPTRAN_FETCH(bits, word, or)                                                                    \
  SEPTRAN_FETCH(bits, word, xor)                                                                   \
  SEPTRAN_FETCH(bits, word, nand)                                                                  \
  SEPTRAN_COMPARE(bits, word, strong)                                                              \
  SEPTRAN_COMPARE(bits, word, weak)                                                                \
  word __tsan_atomic##bits##_compare_exchange_val(volatile word *p, word expected, word desired,   \
                                                  int, int) {                                      \
    __atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return expected;                                                                               \
  }
SEPTRAN_ATOMICS(8, std::uint8_t)
SEPTRAN_ATOMICS(16, std::uint16_t)
SEPTRAN_ATOMICS(32, std::uint32_t)
SEPTRAN_ATOMICS(64, std::uint64_t)

void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
}
