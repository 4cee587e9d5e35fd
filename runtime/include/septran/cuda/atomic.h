//===- septran/cuda/atomic.h - Atomic updates --------------------*- C++ -*-===//
//
// Updates of one element that several threads, of one block or of several, may make at the same
// time. They are relaxed: they order no other access. Where the hardware has no such instruction
// for a type, the 32- or 64-bit word that holds the element is compared and swapped until that
// succeeds. PTX ISA, "Parallel Synchronization and Communication Instructions": atom, red.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CUDA_ATOMIC_H
#define SEPTRAN_CUDA_ATOMIC_H

#include <septran/cuda/reduce.h>

#include <cstdint>
#include <type_traits>

namespace septran::cuda {

namespace detail {

template <class T>
inline constexpr bool has_atomic_add =
    std::is_same_v<T, int> || std::is_same_v<T, unsigned> || std::is_same_v<T, float> ||
    std::is_same_v<T, double> || std::is_same_v<T, unsigned long long>;

template <class T>
inline constexpr bool has_atomic_extrema =
    std::is_same_v<T, int> || std::is_same_v<T, unsigned> || std::is_same_v<T, long long> ||
    std::is_same_v<T, unsigned long long>;

} // namespace detail

/// *to = combine(*to, value), for an element of 1, 2, 4 or 8 bytes.
template <class T, class Op> SEPTRAN_DEVICE void atomic_update(T *to, T value, Op combine) {
  using bits = detail::bits_t<T>;
  using word = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(to);
  word *const place = reinterpret_cast<word *>(address - address % sizeof(word));
  const int shift = int(address % sizeof(word)) * 8;
  const word mask = word(word(bits(~bits(0))) << shift);
  word seen = ptx::compare_and_swap(place, word(0), word(0)); // an atomic load
  for (;;) {
    const T old = __builtin_bit_cast(T, static_cast<bits>(seen >> shift));
    const word field = word(__builtin_bit_cast(bits, T(combine(old, value))));
    const word found = ptx::compare_and_swap(place, seen, word((seen & ~mask) | field << shift));
    if (found == seen)
      return;
    seen = found;
  }
}

/// *to += value.
template <class T> SEPTRAN_DEVICE void atomic_add(T *to, T value) {
  if constexpr (detail::has_atomic_add<T>)
    ptx::add(to, value);
  else
    atomic_update(to, value, plus());
}
/// *to = the smaller of *to and value, as by std::min.
template <class T> SEPTRAN_DEVICE void atomic_min(T *to, T value) {
  if constexpr (detail::has_atomic_extrema<T>)
    ptx::minimum(to, value);
  else
    atomic_update(to, value, minimum());
}
/// *to = the larger of *to and value, as by std::max.
template <class T> SEPTRAN_DEVICE void atomic_max(T *to, T value) {
  if constexpr (detail::has_atomic_extrema<T>)
    ptx::maximum(to, value);
  else
    atomic_update(to, value, maximum());
}

} // namespace septran::cuda

#endif // SEPTRAN_CUDA_ATOMIC_H
