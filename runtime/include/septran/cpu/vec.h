//===- septran/cpu/vec.h - Fixed-width vectors of lanes ---------*- C++ -*-===//
//
// The vector type that generated CPU code computes with, and the operations that only move lanes.
//
// A vector is a bare GNU vector (`vector_size`), never a class around one: both g++ and clang++
// keep arrays of bare vectors in registers when the loops over them are unrolled, and give up on
// arrays of wrappers. Arithmetic, comparison and `? :` are therefore the compiler's own operators.
//
// A comparison yields a mask: a vector of equally wide signed integers, all bits set where true.
//
// Functions take the vector type as a deduced parameter, because the number of lanes of a dependent
// `vector_size` cannot be deduced by every compiler.
//
// Assumptions: W is a power of two, at least 2. A vector wider than the registers of the target is
// correct, but slow; the machine file says how wide they are.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_VEC_H
#define SEPTRAN_CPU_VEC_H

#include <septran/float_types.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

/// For functions that must vanish: a call would send vectors through memory.
#define SEPTRAN_CPU_INLINE inline __attribute__((always_inline))

// Compilers warn that the ABI of calls with wide vectors depends on -march. Functions on vectors
// are inlined here, so there are none. g++ moreover notes each parameter wider than a register,
// inlined or not, and heeds no pragma: where a vector may be that wide, it is passed by reference,
// which inlining removes. Code that includes this wants no such warning either, so there is no pop.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace septran::cpu {

namespace detail {

template <class T, int W> struct vec_of {
  static_assert(W >= 2 && (W & (W - 1)) == 0, "the number of lanes is a power of two");
  typedef T type __attribute__((vector_size(W * sizeof(T))));
  /// The same lanes at any address that an element may have.
  typedef T unaligned __attribute__((vector_size(W * sizeof(T)), aligned(alignof(T)), may_alias));
};

template <int Bytes> struct int_of;
template <> struct int_of<1> { using type = std::int8_t; };
template <> struct int_of<2> { using type = std::int16_t; };
template <> struct int_of<4> { using type = std::int32_t; };
template <> struct int_of<8> { using type = std::int64_t; };

/// What a stored element of type T is computed with.
template <class T> struct lane { using type = T; };
template <septran::detail::is_small_float T> struct lane<T> { using type = float; };
template <> struct lane<bool> { using type = std::uint8_t; }; // there are no vectors of bool

} // namespace detail

/// W lanes of an arithmetic type T.
template <class T, int W> using vec = typename detail::vec_of<T, W>::type;

/// The type that an element of type T has in a register.
template <class T> using lane_t = typename detail::lane<std::remove_cv_t<T>>::type;

template <class V>
concept vector = !std::is_pointer_v<V> && !std::is_array_v<V> && requires(V v) {
  v[0];
  __builtin_convertvector(v, V);
};

template <class T>
concept scalar = std::is_arithmetic_v<T>;
template <class T>
concept small_float = septran::detail::is_small_float<T>;

/// The type of one lane, and the number of lanes, of a vector type.
template <vector V> using lane_of = std::remove_cvref_t<decltype(std::declval<V &>()[0])>;
template <vector V> inline constexpr int width_of = int(sizeof(V) / sizeof(lane_of<V>));

/// Signed and unsigned integers as wide as T.
template <class T> using int_like = typename detail::int_of<sizeof(T)>::type;
template <class T> using uint_like = std::make_unsigned_t<int_like<T>>;

/// The masks that comparisons of V give; the bits of V as unsigned integers.
template <vector V> using mask_of = vec<int_like<lane_of<V>>, width_of<V>>;
template <vector V> using bits_of = vec<uint_like<lane_of<V>>, width_of<V>>;

//===----------------------------------------------------------------------===//
// Making vectors
//===----------------------------------------------------------------------===//

/// All lanes x. Subtracting zero keeps the sign of a zero, adding it would not.
template <class T, int W> SEPTRAN_CPU_INLINE vec<lane_t<T>, W> splat(lane_t<T> x) {
  return x - vec<lane_t<T>, W>{};
}

namespace detail {

template <int W> using lanes = std::make_integer_sequence<int, W>;

template <class V, int... I> SEPTRAN_CPU_INLINE V count_up(std::integer_sequence<int, I...>) {
  return V{lane_of<V>(I)...};
}

template <class V, int... I>
SEPTRAN_CPU_INLINE auto pick(const V &a, const V &b, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(a, b, I...);
}

template <class V, int... I>
SEPTRAN_CPU_INLINE auto pick_high(const V &v, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(v, v, (I + width_of<V> / 2)...);
}

} // namespace detail

/// start, start + 1, ...
template <class T, int W> SEPTRAN_CPU_INLINE vec<T, W> iota(T start) {
  return detail::count_up<vec<T, W>>(detail::lanes<W>()) + start;
}

//===----------------------------------------------------------------------===//
// Halves
//===----------------------------------------------------------------------===//

/// The first and the second half of the lanes. A half of two lanes is not a vector: use v[0], v[1].
template <vector V> SEPTRAN_CPU_INLINE vec<lane_of<V>, width_of<V> / 2> low_half(const V &v) {
  return detail::pick(v, v, detail::lanes<width_of<V> / 2>());
}
template <vector V> SEPTRAN_CPU_INLINE vec<lane_of<V>, width_of<V> / 2> high_half(const V &v) {
  return detail::pick_high(v, detail::lanes<width_of<V> / 2>());
}

/// The lanes of a, then those of b.
template <vector V>
SEPTRAN_CPU_INLINE vec<lane_of<V>, width_of<V> * 2> concat(const V &a, const V &b) {
  return detail::pick(a, b, detail::lanes<width_of<V> * 2>());
}

//===----------------------------------------------------------------------===//
// Bits and masks
//===----------------------------------------------------------------------===//

/// The same bits as lanes of another type of the same total size.
template <vector To, vector V> SEPTRAN_CPU_INLINE To as(const V &v) {
  static_assert(sizeof(To) == sizeof(V));
  return (To)v;
}

/// v again and again, up to W lanes. v has 2, 4 or 8 bytes, which one instruction spreads.
template <int W, vector V> SEPTRAN_CPU_INLINE vec<lane_of<V>, W> repeat(const V &v) {
  using word = typename detail::int_of<sizeof(V)>::type;
  return as<vec<lane_of<V>, W>>(splat<word, W / width_of<V>>(__builtin_bit_cast(word, v)));
}

/// A mask for lanes of type T: true in the first n lanes. n may be negative or beyond W.
template <class T, int W> SEPTRAN_CPU_INLINE vec<int_like<lane_t<T>>, W> mask_n(std::ptrdiff_t n) {
  using I = int_like<lane_t<T>>;
  static_assert(W <= 64, "the number of lanes must fit the smallest lane");
  const std::ptrdiff_t clipped = n < 0 ? 0 : n > W ? W : n;
  return iota<I, W>(0) < splat<I, W>(I(clipped));
}

/// Whether any lane of a mask is true.
template <vector M> SEPTRAN_CPU_INLINE bool any(const M &mask) {
  if constexpr (sizeof(M) > 16) {
    return any(low_half(mask) | high_half(mask));
  } else if constexpr (sizeof(M) == 16) {
    const auto words = as<vec<std::uint64_t, 2>>(mask);
    return (words[0] | words[1]) != 0;
  } else {
    bool found = false;
    for (int i = 0; i < width_of<M>; ++i)
      found |= mask[i] != 0;
    return found;
  }
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_VEC_H
