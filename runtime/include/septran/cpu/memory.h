//===- septran/cpu/memory.h - Between memory and vectors --------*- C++ -*-===//
//
// Loads and stores of full, partial and strided vectors, at any address an element may have.
//
// Small floats are converted on the way (small_float.h): a register holds them as floats, and a
// store rounds to nearest, ties to even.
//
// Partial accesses touch exactly the first n elements, where n is from 0 to W. So they are safe
// next to the end of an allocation, and beside memory that other threads write.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_MEMORY_H
#define SEPTRAN_CPU_MEMORY_H

#include <septran/cpu/index.h>
#include <septran/cpu/native.h>
#include <septran/cpu/small_float.h>

namespace septran::cpu {

namespace detail {

/// The bits of one element.
template <class T> SEPTRAN_CPU_INLINE stored_t<T> get(const T *p) {
  return __builtin_bit_cast(stored_t<T>, *p);
}
template <class T> SEPTRAN_CPU_INLINE void put(T *p, stored_t<T> bits) {
  *p = __builtin_bit_cast(T, bits);
}

/// All lanes, unconverted.
template <int W, class T> SEPTRAN_CPU_INLINE vec<stored_t<T>, W> load_bits(const T *p) {
  return *reinterpret_cast<const typename vec_of<stored_t<T>, W>::unaligned *>(p);
}
template <class T, vector V> SEPTRAN_CPU_INLINE void store_bits(T *p, const V &bits) {
  *reinterpret_cast<typename vec_of<stored_t<T>, width_of<V>>::unaligned *>(p) = bits;
}

/// The first n lanes; by halves where the target has no masked move for such a vector.
template <int W, class T>
SEPTRAN_CPU_INLINE vec<stored_t<T>, W> load_bits_n(const T *p, std::ptrdiff_t n) {
  using V = vec<stored_t<T>, W>;
  constexpr int half = W / 2;
  if constexpr (native::has_masked_move<V>) {
    return native::load_n<V>(p, n);
  } else if constexpr (W == 2) {
    return V{n > 0 ? get(p) : stored_t<T>(0), n > 1 ? get(p + 1) : stored_t<T>(0)};
  } else {
    if (n < half)
      return concat(load_bits_n<half>(p, n), vec<stored_t<T>, half>{});
    return concat(load_bits<half>(p), load_bits_n<half>(p + half, n - half));
  }
}

/// The first n lanes, by halves.
template <class T, vector V>
SEPTRAN_CPU_INLINE void store_bits_parts(T *p, const V &bits, std::ptrdiff_t n) {
  constexpr int half = width_of<V> / 2;
  if constexpr (half == 1) {
    if (n > 0)
      put(p, bits[0]);
    if (n > 1)
      put(p + 1, bits[1]);
  } else {
    auto rest = low_half(bits);
    if (n >= half) {
      store_bits(p, rest);
      rest = high_half(bits);
      p += half;
      n -= half;
    }
    store_bits_parts(p, rest, n);
  }
}

template <class T, vector V>
SEPTRAN_CPU_INLINE void store_bits_n(T *p, const V &bits, std::ptrdiff_t n) {
  if constexpr (native::has_masked_move<V>)
    native::store_n(p, bits, n);
  else
    store_bits_parts(p, bits, n);
}

template <class T, int... I>
SEPTRAN_CPU_INLINE auto load_bits_strided(const T *p, std::ptrdiff_t stride,
                                          std::integer_sequence<int, I...>) {
  return vec<stored_t<T>, sizeof...(I)>{get(p + I * stride)...};
}
template <class T, vector V, int... I>
SEPTRAN_CPU_INLINE void store_bits_strided(T *p, std::ptrdiff_t stride, const V &bits,
                                           std::integer_sequence<int, I...>) {
  (put(p + I * stride, bits[I]), ...);
}

/// Elements at such a distance are picked out of all that lie between them; farther ones are read one by one.
template <std::ptrdiff_t Stride>
concept close_by = Stride >= 2 && Stride <= 4;

/// Where the parts of W elements begin that hold W of them at a stride: side by side, and none ends behind the
/// last one that is `Needed`.
template <int W, int Needed> constexpr int part_begin(int part) {
  return part * W < Needed - W ? part * W : Needed - W;
}
/// The lane of the parts up to that one, of which those before are merged, that holds element i;
/// -1: none yet. The first element is `At` behind the first part's begin.
template <int W, int Stride, int Needed, int At> constexpr int picked_lane(int part, int i) {
  const int at = i * Stride + At, own = at / W;
  if (own == part)
    return W + at - part_begin<W, Needed>(part);
  return own > part ? -1 : part == 1 ? at : i;
}
/// Lanes of parts, which load(begin) gives, merged part by part.
template <int Stride, int Needed, int At = 0, int Part = 1, vector V, class Load, int... I>
SEPTRAN_CPU_INLINE V pick_strided(const V &merged, const Load &load,
                                  std::integer_sequence<int, I...> all) {
  constexpr int W = sizeof...(I);
  const V next = load(part_begin<W, Needed>(Part));
  const V both =
      __builtin_shufflevector(merged, next, picked_lane<W, Stride, Needed, At>(Part, I)...);
  if constexpr (Part + 1 < Stride)
    return pick_strided<Stride, Needed, At, Part + 1>(both, load, all);
  else
    return both;
}

} // namespace detail

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// p[0], ..., p[W - 1].
template <int W, class T> SEPTRAN_CPU_INLINE vec<lane_t<T>, W> load(const T *p) {
  return detail::to_lanes<T>(detail::load_bits<W>(p));
}

/// The same as they are stored: small floats as the bits that instructions on them take.
template <int W, class T> SEPTRAN_CPU_INLINE vec<detail::stored_t<T>, W> load_stored(const T *p) {
  return detail::load_bits<W>(p);
}

/// p[0], ..., p[n - 1], then zeros.
template <int W, class T>
SEPTRAN_CPU_INLINE vec<lane_t<T>, W> load_n(const T *p, std::ptrdiff_t n) {
  return detail::to_lanes<T>(detail::load_bits_n<W>(p, n));
}

/// p[0], p[stride], ..., p[(W - 1) * stride].
template <int W, class T>
SEPTRAN_CPU_INLINE vec<lane_t<T>, W> load_strided(const T *p, std::ptrdiff_t stride) {
  return detail::to_lanes<T>(detail::load_bits_strided(p, stride, detail::lanes<W>()));
}
template <int W, class T, std::ptrdiff_t Stride>
  requires detail::close_by<Stride>
SEPTRAN_CPU_INLINE vec<lane_t<T>, W> load_strided(const T *p, constant<Stride>) {
  const auto part = [=](int begin) __attribute__((always_inline)) {
    return detail::load_bits<W>(p + begin);
  };
  return detail::to_lanes<T>(
      detail::pick_strided<Stride, (W - 1) * Stride + 1>(part(0), part, detail::lanes<W>()));
}

/// p[0], ..., p[(n - 1) * stride], then zeros.
template <int W, class T>
SEPTRAN_CPU_INLINE vec<lane_t<T>, W> load_strided_n(const T *p, std::ptrdiff_t stride,
                                                    std::ptrdiff_t n) {
  using S = detail::stored_t<T>;
  alignas(vec<S, W>) S lanes[W] = {};
  for (std::ptrdiff_t i = 0; i < n; ++i)
    lanes[i] = detail::get(p + i * stride);
  return detail::to_lanes<T>(detail::load_bits<W>(static_cast<const S *>(lanes)));
}
template <int W, class T, std::ptrdiff_t Stride>
  requires detail::close_by<Stride> && detail::native::has_masked_move<vec<detail::stored_t<T>, W>>
SEPTRAN_CPU_INLINE vec<lane_t<T>, W> load_strided_n(const T *p, constant<Stride>, std::ptrdiff_t n) {
  const std::ptrdiff_t needed = (n - 1) * Stride + 1;
  const auto part = [=](int begin) __attribute__((always_inline)) {
    return detail::load_bits_n<W>(begin < needed ? p + begin : p, clamp_lanes<W>(needed - begin));
  };
  return detail::to_lanes<T>(detail::pick_strided<Stride, Stride * W>(part(0), part, detail::lanes<W>()));
}

/// Element `Field` of W records that follow each other from p on, each `Size` long.
template <int Field, int Size, int W, class T>
SEPTRAN_CPU_INLINE vec<lane_t<T>, W> load_field(const T *p) {
  const auto part = [=](int begin) __attribute__((always_inline)) {
    return detail::load_bits<W>(p + begin);
  };
  return detail::to_lanes<T>(
      detail::pick_strided<Size, Size * W, Field>(part(0), part, detail::lanes<W>()));
}

/// The same of n records, then zeros.
template <int Field, int Size, int W, class T>
SEPTRAN_CPU_INLINE vec<lane_t<T>, W> load_field_n(const T *p, std::ptrdiff_t n) {
  if constexpr (detail::native::has_masked_move<vec<detail::stored_t<T>, W>>) {
    const auto part = [=](int begin) __attribute__((always_inline)) {
      const std::ptrdiff_t left = n * Size - begin;
      return detail::load_bits_n<W>(left > 0 ? p + begin : p, clamp_lanes<W>(left));
    };
    return detail::to_lanes<T>(
        detail::pick_strided<Size, Size * W, Field>(part(0), part, detail::lanes<W>()));
  } else {
    return load_strided_n<W>(p + Field, Size, n);
  }
}

//===----------------------------------------------------------------------===//
// Stores: the lanes of v have the register type of T
//===----------------------------------------------------------------------===//

/// p[0], ..., p[W - 1] = v.
template <class T, vector V> SEPTRAN_CPU_INLINE void store_stored(T *p, const V &bits) {
  detail::store_bits(p, bits);
}
template <class T, vector V> SEPTRAN_CPU_INLINE void store(T *p, const V &v) {
  detail::store_bits(p, detail::from_lanes<T>(v));
}
template <int W, class T> SEPTRAN_CPU_INLINE void store(T *p, const vec<lane_t<T>, W> &v) {
  store(p, v);
}

/// p[0], ..., p[n - 1] = the first lanes of v; nothing else is written.
template <class T, vector V> SEPTRAN_CPU_INLINE void store_n(T *p, const V &v, std::ptrdiff_t n) {
  detail::store_bits_n(p, detail::from_lanes<T>(v), n);
}
template <int W, class T>
SEPTRAN_CPU_INLINE void store_n(T *p, const vec<lane_t<T>, W> &v, std::ptrdiff_t n) {
  store_n(p, v, n);
}

/// The same by parts, without a mask.
template <class T, vector V>
SEPTRAN_CPU_INLINE void store_parts(T *p, const V &v, std::ptrdiff_t n) {
  detail::store_bits_parts(p, detail::from_lanes<T>(v), n);
}

/// p[0], p[stride], ... = v.
template <class T, vector V>
SEPTRAN_CPU_INLINE void store_strided(T *p, std::ptrdiff_t stride, const V &v) {
  detail::store_bits_strided(p, stride, detail::from_lanes<T>(v), detail::lanes<width_of<V>>());
}
template <int W, class T>
SEPTRAN_CPU_INLINE void store_strided(T *p, std::ptrdiff_t stride, const vec<lane_t<T>, W> &v) {
  store_strided(p, stride, v);
}

/// The first n lanes of v go to p[0], ..., p[(n - 1) * stride].
template <class T, vector V>
SEPTRAN_CPU_INLINE void store_strided_n(T *p, std::ptrdiff_t stride, const V &v, std::ptrdiff_t n) {
  using S = detail::stored_t<T>;
  alignas(vec<S, width_of<V>>) S lanes[width_of<V>];
  detail::store_bits(static_cast<S *>(lanes), detail::from_lanes<T>(v));
  for (std::ptrdiff_t i = 0; i < n; ++i)
    detail::put(p + i * stride, lanes[i]);
}
template <int W, class T>
SEPTRAN_CPU_INLINE void store_strided_n(T *p, std::ptrdiff_t stride, const vec<lane_t<T>, W> &v,
                                        std::ptrdiff_t n) {
  store_strided_n(p, stride, v, n);
}

namespace detail {

/// Vector `Part` of W records whose fields are given one by one, of which those before `Next` are
/// merged; lanes of others have any value.
template <int Size, int Part, int Next = 1, vector V, int... I>
SEPTRAN_CPU_INLINE V merge_fields(const V &merged, const V *fields,
                                  std::integer_sequence<int, I...> all) {
  if constexpr (Next == Size) {
    return merged;
  } else {
    constexpr int W = sizeof...(I), from = Part * W;
    // Of the first two, both lie in their own places.
    const V both = __builtin_shufflevector(merged, fields[Next],
                                           ((from + I) % Size == Next  ? W + (from + I) / Size
                                            : (from + I) % Size > Next ? -1
                                            : Next == 1                ? (from + I) / Size
                                                                       : I)...);
    return merge_fields<Size, Part, Next + 1>(both, fields, all);
  }
}

template <int... Part, class Each>
SEPTRAN_CPU_INLINE void for_parts(std::integer_sequence<int, Part...>, const Each &each) {
  (each(std::integral_constant<int, Part>()), ...);
}

} // namespace detail

/// W records that follow each other from p on, given by their fields: element i of record j is lane
/// j of field i.
template <class T, vector V, std::same_as<V>... Fields>
SEPTRAN_CPU_INLINE void store_fields(T *p, const V &first, const Fields &...others) {
  constexpr int Size = 1 + sizeof...(others), W = width_of<V>;
  using Stored = decltype(detail::from_lanes<T>(first));
  const Stored fields[Size] = {detail::from_lanes<T>(first), detail::from_lanes<T>(others)...};
  detail::for_parts(
      detail::lanes<Size>(), [&](auto part) __attribute__((always_inline)) {
        detail::store_bits(p + part * W,
                           detail::merge_fields<Size, part>(fields[0], fields, detail::lanes<W>()));
      });
}

/// The first n records; nothing else is written.
template <class T, vector V, std::same_as<V>... Fields>
SEPTRAN_CPU_INLINE void store_fields_n(T *p, std::ptrdiff_t n, const V &first,
                                       const Fields &...others) {
  constexpr int Size = 1 + sizeof...(others), W = width_of<V>;
  using Stored = decltype(detail::from_lanes<T>(first));
  const Stored fields[Size] = {detail::from_lanes<T>(first), detail::from_lanes<T>(others)...};
  detail::for_parts(
      detail::lanes<Size>(), [&](auto part) __attribute__((always_inline)) {
        const std::ptrdiff_t left = n * Size - part * W;
        if (left > 0)
          detail::store_bits_n(
              p + part * W, detail::merge_fields<Size, part>(fields[0], fields, detail::lanes<W>()),
              clamp_lanes<W>(left));
      });
}

//===----------------------------------------------------------------------===//
// Streaming stores and prefetch
//===----------------------------------------------------------------------===//

namespace detail {
/// By the smallest pieces that can pass by the caches, which processors gather to whole lines.
template <vector V> SEPTRAN_CPU_INLINE void stream_pieces(void *p, const V &v) {
  if constexpr (sizeof(V) > 16) {
    stream_pieces(p, low_half(v));
    stream_pieces(static_cast<char *>(p) + sizeof(V) / 2, high_half(v));
  } else {
    native::stream_aligned(p, v);
  }
}
} // namespace detail

/// As store, but past the caches where p is aligned to the vector or to 16 bytes. It pays only for
/// outputs larger than the last cache that nothing reads soon. Call stream_fence before another
/// thread may read them.
template <class T, vector V> SEPTRAN_CPU_INLINE void stream(T *p, const V &v) {
  const auto bits = detail::from_lanes<T>(v);
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  if (address % sizeof(bits) == 0)
    detail::native::stream_aligned(p, bits);
  else if (sizeof(bits) > 16 && address % 16 == 0)
    detail::stream_pieces(p, bits);
  else
    detail::store_bits(p, bits);
}
template <int W, class T> SEPTRAN_CPU_INLINE void stream(T *p, const vec<lane_t<T>, W> &v) {
  stream(p, v);
}

/// stream where `past` holds, else store.
template <class T, vector V> SEPTRAN_CPU_INLINE void stream_if(bool past, T *p, const V &v) {
  if (past)
    stream(p, v);
  else
    store(p, v);
}
template <int W, class T>
SEPTRAN_CPU_INLINE void stream_if(bool past, T *p, const vec<lane_t<T>, W> &v) {
  stream_if(past, p, v);
}

/// Whether rows of so many elements, which lie so far apart, can go past the caches: stores of either kind to
/// one line of memory wait for each other, so that lines must be whole; of long rows the ends do not count if what
/// is stored lies at multiples of 16 bytes.
template <class T, class... Strides>
SEPTRAN_CPU_INLINE bool fill_lines(std::ptrdiff_t row, Strides... apart) {
  constexpr std::ptrdiff_t line = 64, piece = 16, size = sizeof(T), long_row = 4096;
  const bool is_long = row * size >= long_row;
  [[maybe_unused]] const std::ptrdiff_t unit = is_long ? piece : line; // there may be one row only
  return (is_long || row * size % line == 0) && ((apart * size % unit == 0) && ...);
}

/// Makes this thread's streaming stores visible before its later stores.
SEPTRAN_CPU_INLINE void stream_fence() { detail::native::stream_fence(); }

/// p, without what the compiler knows of how it was computed: it stays in a register, and is
/// neither derived from something else again nor held ready for other loops.
template <class T> SEPTRAN_CPU_INLINE T *in_register(T *p) {
#if defined(__GNUC__)
  __asm__ volatile("" : "+r"(p));
#endif
  return p;
}

/// The same of a distance between elements: multiples of it are not held ready.
SEPTRAN_CPU_INLINE std::ptrdiff_t in_register(std::ptrdiff_t n) {
#if defined(__GNUC__)
  __asm__ volatile("" : "+r"(n));
#endif
  return n;
}

/// v, in a register that the compiler knows nothing of: it will not read memory again instead. Vectors wider
/// than a register stay as they are.
template <vector V> SEPTRAN_CPU_INLINE V in_register(V v) {
#ifdef SEPTRAN_CPU_IN_VECTOR_REGISTER
  if constexpr (sizeof(V) <= detail::native::register_bytes)
    __asm__("" : SEPTRAN_CPU_IN_VECTOR_REGISTER(v));
#endif
  return v;
}

/// v, which g++ would rather read from memory again wherever it is used. Other compilers know
/// better.
template <vector V> SEPTRAN_CPU_INLINE V loaded_once(V v) {
#ifdef __clang__
  return v;
#else
  return in_register(v);
#endif
}

/// v, computed before what a later in_order is given, and not read from memory again. Vectors wider than a
/// register stay as they are.
template <vector V> SEPTRAN_CPU_INLINE V in_order(V v) {
#ifdef SEPTRAN_CPU_IN_VECTOR_REGISTER
  if constexpr (sizeof(V) <= detail::native::register_bytes)
    __asm__ volatile("" : SEPTRAN_CPU_IN_VECTOR_REGISTER(v));
#endif
  return v;
}

/// Asks for the cache line of p, to be read soon. Any address is allowed.
template <class T> SEPTRAN_CPU_INLINE void prefetch(const T *p) { __builtin_prefetch(p, 0, 3); }
/// The same for the element `ahead` behind p, which may lie outside the array that p points into. It
/// comes into the cache of that level, and into those behind it.
template <int Level = 1, class T>
SEPTRAN_CPU_INLINE void prefetch(const T *p, std::ptrdiff_t ahead) {
  const std::uintptr_t address =
      reinterpret_cast<std::uintptr_t>(p) + std::uintptr_t(ahead) * sizeof(T);
  __builtin_prefetch(reinterpret_cast<const void *>(address), 0, Level == 1 ? 3 : 2);
}
namespace detail {
template <int Write, class T>
SEPTRAN_CPU_INLINE void prefetch_lines(const T *p, std::ptrdiff_t stride, std::ptrdiff_t rows,
                                       std::ptrdiff_t columns) {
  constexpr std::ptrdiff_t line = 64 / sizeof(T);
#pragma GCC unroll 64
  for (std::ptrdiff_t row = 0; row < rows; ++row)
#pragma GCC unroll 64
    for (std::ptrdiff_t column = 0; column < columns; column += line)
      __builtin_prefetch(reinterpret_cast<const void *>(
                             reinterpret_cast<std::uintptr_t>(p) +
                             std::uintptr_t(row * stride + column) * sizeof(T)),
                         Write, 3);
}
} // namespace detail

/// Asks for the lines of rows of a matrix that begins at p, to be read soon, or with `w` written. It
/// may lie partly outside of the array that p points into.
template <class T>
SEPTRAN_CPU_INLINE void prefetch_rows(const T *p, std::ptrdiff_t stride, std::ptrdiff_t rows,
                                      std::ptrdiff_t columns) {
  detail::prefetch_lines<0>(p, stride, rows, columns);
}
template <class T>
SEPTRAN_CPU_INLINE void prefetchw_rows(const T *p, std::ptrdiff_t stride, std::ptrdiff_t rows,
                                       std::ptrdiff_t columns) {
  detail::prefetch_lines<1>(p, stride, rows, columns);
}
template <class T>
SEPTRAN_CPU_INLINE void prefetch_rows_if(bool condition, const T *p, std::ptrdiff_t stride,
                                         std::ptrdiff_t rows, std::ptrdiff_t columns) {
  if (condition)
    prefetch_rows(p, stride, rows, columns);
}
template <class T>
SEPTRAN_CPU_INLINE void prefetchw_rows_if(bool condition, const T *p, std::ptrdiff_t stride,
                                          std::ptrdiff_t rows, std::ptrdiff_t columns) {
  if (condition)
    prefetchw_rows(p, stride, rows, columns);
}

/// If the condition, which may be a constant, holds.
template <int Level = 1, class T>
SEPTRAN_CPU_INLINE void prefetch_if(bool condition, const T *p, std::ptrdiff_t ahead) {
  if (condition)
    prefetch<Level>(p, ahead);
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_MEMORY_H
