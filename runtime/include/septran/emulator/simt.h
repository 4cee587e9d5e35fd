//===- septran/emulator/simt.h - Instructions, emulated ----------*- C++ -*-===//
//
// The primitives of <septran/cuda/simt.h> and <septran/cuda/atomic.h> in the emulator. All wrappers
// are inlined: the address a primitive returns to is in the code that uses it, and tells the line
// that a report names.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_EMULATOR_SIMT_H
#define SEPTRAN_EMULATOR_SIMT_H

#include <septran/emulator/language.h>

#include <cstddef>
#include <cstdint>

namespace septran::emulator {

unsigned char *shared_memory();
unsigned char *shared_array(std::size_t bytes);

void named_barrier(int id, int threads);
void named_barrier_arrive(int id, int threads);

std::uint32_t ballot(bool condition);

enum class shuffle_mode { index, exclusive_or, up, down };
std::uint32_t shuffle(shuffle_mode mode, std::uint32_t value, int operand, int width);

/// Checked copies between a thread's registers and memory; the address is aligned to the size.
void load(void *registers, const void *from, std::size_t bytes);
void store(void *to, const void *registers, std::size_t bytes);

/// Checks an atomic access. Threads are switched before it, not after: what follows, up to the next
/// primitive, happens at once.
void atomic(void *word, std::size_t bytes);

} // namespace septran::emulator

namespace septran::cuda::ptx {

#define SEPTRAN_PRIMITIVE inline __attribute__((always_inline))

template <int D> SEPTRAN_PRIMITIVE int component(dim3 index) {
  return int(D == 0 ? index.x : D == 1 ? index.y : index.z);
}
template <int D> SEPTRAN_PRIMITIVE int thread_index() {
  return component<D>(emulator::thread_index());
}
template <int D> SEPTRAN_PRIMITIVE int block_index() {
  return component<D>(emulator::block_index());
}
template <int D> SEPTRAN_PRIMITIVE int block_extent() {
  return component<D>(emulator::block_extent());
}
template <int D> SEPTRAN_PRIMITIVE int grid_extent() {
  return component<D>(emulator::grid_extent());
}

SEPTRAN_PRIMITIVE unsigned char *shared_memory() { return emulator::shared_memory(); }
template <std::size_t Bytes> SEPTRAN_PRIMITIVE unsigned char *shared_array() {
  return emulator::shared_array(Bytes);
}

SEPTRAN_PRIMITIVE void block_barrier() { emulator::block_barrier(); }
template <int Id> SEPTRAN_PRIMITIVE void named_barrier(int threads) {
  emulator::named_barrier(Id, threads);
}
template <int Id> SEPTRAN_PRIMITIVE void named_barrier_arrive(int threads) {
  emulator::named_barrier_arrive(Id, threads);
}
template <int Width> SEPTRAN_PRIMITIVE void warp_barrier() { emulator::warp_barrier(Width); }

SEPTRAN_PRIMITIVE std::uint32_t ballot(bool condition) { return emulator::ballot(condition); }

template <int Width> SEPTRAN_PRIMITIVE std::uint32_t shuffle(std::uint32_t value, int source) {
  return emulator::shuffle(emulator::shuffle_mode::index, value, source, Width);
}
template <int Width> SEPTRAN_PRIMITIVE std::uint32_t shuffle_xor(std::uint32_t value, int mask) {
  return emulator::shuffle(emulator::shuffle_mode::exclusive_or, value, mask, Width);
}
template <int Width> SEPTRAN_PRIMITIVE std::uint32_t shuffle_up(std::uint32_t value, int distance) {
  return emulator::shuffle(emulator::shuffle_mode::up, value, distance, Width);
}
template <int Width>
SEPTRAN_PRIMITIVE std::uint32_t shuffle_down(std::uint32_t value, int distance) {
  return emulator::shuffle(emulator::shuffle_mode::down, value, distance, Width);
}

template <class V> SEPTRAN_PRIMITIVE V load(const void *from) {
  V value;
  emulator::load(&value, from, sizeof(V));
  return value;
}
template <class V> SEPTRAN_PRIMITIVE V load_readonly(const void *from) { return load<V>(from); }
template <class V> SEPTRAN_PRIMITIVE void store(void *to, const V &value) {
  emulator::store(to, &value, sizeof(V));
}

// What follows the check is left out of the instrumented accesses, which are not atomic.

template <class T, class Update>
__attribute__((no_sanitize("thread"))) inline T exchange_element(T *to, Update update) {
  const T old = *to;
  *to = update(old);
  return old;
}

template <class T> SEPTRAN_PRIMITIVE T compare_and_swap(T *word, T expected, T desired) {
  emulator::atomic(word, sizeof(T));
  return exchange_element(word, [=](T old) __attribute__((no_sanitize("thread"))) {
    return old == expected ? desired : old;
  });
}
template <class T> SEPTRAN_PRIMITIVE void add(T *to, T value) {
  emulator::atomic(to, sizeof(T));
  exchange_element(to,
                   [=](T old) __attribute__((no_sanitize("thread"))) { return T(old + value); });
}
template <class T> SEPTRAN_PRIMITIVE void minimum(T *to, T value) {
  emulator::atomic(to, sizeof(T));
  exchange_element(
      to, [=](T old) __attribute__((no_sanitize("thread"))) { return value < old ? value : old; });
}
template <class T> SEPTRAN_PRIMITIVE void maximum(T *to, T value) {
  emulator::atomic(to, sizeof(T));
  exchange_element(
      to, [=](T old) __attribute__((no_sanitize("thread"))) { return old < value ? value : old; });
}

} // namespace septran::cuda::ptx

#endif // SEPTRAN_EMULATOR_SIMT_H
