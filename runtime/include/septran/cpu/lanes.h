//===- septran/cpu/lanes.h - Code for whole vectors and for the rest -*- C++ -*-===//
//
// The end of a row fills a vector in part. Code for whole vectors and for that one is written once, as a
// lambda that is called with a set of lanes: one that the compiler knows, where it is whole, so that
// nothing is masked, and one of run time for the rest. For blocks see blocks.h.
//
// The lambdas are inlined. What they use they capture by value, but for what they change: a variable
// whose address is taken stays in memory throughout a parallel region of g++.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_LANES_H
#define SEPTRAN_CPU_LANES_H

#include <septran/cpu/index.h>
#include <septran/cpu/memory.h>
#include <septran/cpu/vec.h>

#include <utility>

/// As SEPTRAN_CPU_INLINE, and what the function calls vanishes, too.
#define SEPTRAN_CPU_INLINE_CALLS inline __attribute__((always_inline, flatten))

namespace septran::cpu {

//===----------------------------------------------------------------------===//
// Sets of lanes
//===----------------------------------------------------------------------===//

/// All of W lanes.
template <int W> struct all_lanes {};
/// The first `count` of W lanes: 0 <= count <= W.
template <int W> struct first_lanes { std::ptrdiff_t count; };

/// The lanes that elements from `begin` on fill, of which there are `size`. A constant size must be a
/// multiple of W, and begin one that is less.
template <int W> SEPTRAN_CPU_INLINE first_lanes<W> lanes(std::ptrdiff_t size, std::ptrdiff_t begin) {
  return {clamp_lanes<W>(size - begin)};
}
template <int W, std::ptrdiff_t N>
  requires(N % W == 0)
SEPTRAN_CPU_INLINE all_lanes<W> lanes(constant<N>, std::ptrdiff_t) {
  return {};
}

/// a in the lanes of the set, b in the others.
template <int W, vector V>
SEPTRAN_CPU_INLINE V select(all_lanes<W>, const V &a, const V &) {
  static_assert(width_of<V> == W);
  return a;
}
template <int W, vector V>
SEPTRAN_CPU_INLINE V select(first_lanes<W> lanes, const V &a, const V &b) {
  static_assert(width_of<V> == W);
  return select(mask_n<lane_of<V>, W>(lanes.count), a, b);
}

//===----------------------------------------------------------------------===//
// Loads and stores (memory.h) that touch the lanes of the set
//===----------------------------------------------------------------------===//

template <int W, class T> SEPTRAN_CPU_INLINE vec<lane_t<T>, W> load(const T *p, all_lanes<W>) {
  return load<W>(p);
}
template <int W, class T>
SEPTRAN_CPU_INLINE vec<lane_t<T>, W> load(const T *p, first_lanes<W> lanes) {
  return load_n<W>(p, lanes.count);
}

/// The stride is a number or a constant.
template <int W, class T, class Stride>
SEPTRAN_CPU_INLINE vec<lane_t<T>, W> load_strided(const T *p, Stride stride, all_lanes<W>) {
  return load_strided<W>(p, stride);
}
template <int W, class T, class Stride>
SEPTRAN_CPU_INLINE vec<lane_t<T>, W> load_strided(const T *p, Stride stride, first_lanes<W> lanes) {
  return load_strided_n<W>(p, stride, lanes.count);
}

template <int Field, int Size, int W, class T>
SEPTRAN_CPU_INLINE vec<lane_t<T>, W> load_field(const T *p, all_lanes<W>) {
  return load_field<Field, Size, W>(p);
}
template <int Field, int Size, int W, class T>
SEPTRAN_CPU_INLINE vec<lane_t<T>, W> load_field(const T *p, first_lanes<W> lanes) {
  return load_field_n<Field, Size, W>(p, lanes.count);
}

template <int W, class T, class... Fields>
SEPTRAN_CPU_INLINE void store_fields(T *p, all_lanes<W>, const Fields &...fields) {
  store_fields(p, fields...);
}
template <int W, class T, class... Fields>
SEPTRAN_CPU_INLINE void store_fields(T *p, first_lanes<W> lanes, const Fields &...fields) {
  store_fields_n(p, lanes.count, fields...);
}

template <int W, class T>
SEPTRAN_CPU_INLINE void store(T *p, const vec<lane_t<T>, W> &v, all_lanes<W>) {
  store(p, v);
}
template <int W, class T>
SEPTRAN_CPU_INLINE void store(T *p, const vec<lane_t<T>, W> &v, first_lanes<W> lanes) {
  if (lanes.count > 0) // what stores into vectors of a clipped block that lie behind its end vanishes
    store_n(p, v, lanes.count);
}

/// In place of what was loaded from there. What follows in memory, which may be the next row, is loaded soon: a store
/// under a mask would keep that waiting until it is done.
template <int W, class T>
SEPTRAN_CPU_INLINE void update(T *p, const vec<lane_t<T>, W> &v, all_lanes<W>) {
  store(p, v);
}
template <int W, class T>
SEPTRAN_CPU_INLINE void update(T *p, const vec<lane_t<T>, W> &v, first_lanes<W> lanes) {
  store_parts(p, v, lanes.count);
}

template <int W, class T>
SEPTRAN_CPU_INLINE void store_strided(T *p, std::ptrdiff_t stride, const vec<lane_t<T>, W> &v,
                                      all_lanes<W>) {
  store_strided(p, stride, v);
}
template <int W, class T>
SEPTRAN_CPU_INLINE void store_strided(T *p, std::ptrdiff_t stride, const vec<lane_t<T>, W> &v,
                                      first_lanes<W> lanes) {
  store_strided_n(p, stride, v, lanes.count);
}

/// Only whole vectors pass by the caches.
template <int W, class T>
SEPTRAN_CPU_INLINE void stream(T *p, const vec<lane_t<T>, W> &v, all_lanes<W>) {
  stream(p, v);
}
template <int W, class T>
SEPTRAN_CPU_INLINE void stream(T *p, const vec<lane_t<T>, W> &v, first_lanes<W> lanes) {
  store(p, v, lanes);
}
template <int W, class T>
SEPTRAN_CPU_INLINE void stream_if(bool past, T *p, const vec<lane_t<T>, W> &v, all_lanes<W>) {
  stream_if(past, p, v);
}
template <int W, class T>
SEPTRAN_CPU_INLINE void stream_if(bool, T *p, const vec<lane_t<T>, W> &v, first_lanes<W> lanes) {
  store(p, v, lanes);
}

//===----------------------------------------------------------------------===//
// Loops over vectors
//===----------------------------------------------------------------------===//

namespace detail {

/// A body that sums into several Parts is told which one's turn it is.
template <int Parts, class F, class Lanes>
SEPTRAN_CPU_INLINE_CALLS void one_vector(std::ptrdiff_t j, const F &body, Lanes lanes, int part) {
  if constexpr (Parts > 1)
    body(j, lanes, part);
  else
    body(j, lanes);
}

/// sizeof...(I) vectors from j on, without a loop.
template <int W, int Parts, class F, int... I>
SEPTRAN_CPU_INLINE_CALLS void whole_vectors(std::ptrdiff_t j, const F &body,
                                            std::integer_sequence<int, I...>) {
  (one_vector<Parts>(j + I * W, body, all_lanes<W>(), I % Parts), ...);
}

} // namespace detail

/// body(j, lanes) for the vectors of W elements that begin at j = begin, begin + W, ... below end, of
/// which the last may have fewer lanes.
///
/// Parts: body(j, lanes, part) sums into as many vectors in turn, which do not wait for each other;
/// what is left of the last turn goes to the first. Unroll: turns between two looks at the end; 0
/// is 1 for several parts, and leaves it to the compiler for one.
template <int W, int Parts = 1, int Unroll = 0, class F>
SEPTRAN_CPU_INLINE_CALLS void for_lanes(std::ptrdiff_t begin, std::ptrdiff_t end, const F &body) {
  constexpr int turns = Parts * (Unroll > 1 ? Unroll : 1);
  constexpr std::integer_sequence<int, 0> one;
  std::ptrdiff_t j = begin;
  // Turns of several vectors are not repeated: clang++ would run out of registers.
  if constexpr (turns > 1)
#pragma GCC unroll 1
    for (const std::ptrdiff_t last = end - turns * W; j <= last; j += turns * W)
      detail::whole_vectors<W, Parts>(j, body, std::make_integer_sequence<int, turns>());
  const std::ptrdiff_t last = end - W;
  if constexpr (Unroll == 1) {
#pragma GCC unroll 1
    for (; j <= last; j += W)
      detail::whole_vectors<W, Parts>(j, body, one);
  } else {
    for (; j <= last; j += W)
      detail::whole_vectors<W, Parts>(j, body, one);
  }
  if (j < end)
    detail::one_vector<Parts>(j, body, first_lanes<W>{end - j}, 0);
}
/// The same from 0 on.
template <int W, int Parts = 1, int Unroll = 0, class F>
SEPTRAN_CPU_INLINE_CALLS void for_lanes(std::ptrdiff_t end, const F &body) {
  for_lanes<W, Parts, Unroll>(0, end, body);
}

/// body(j, lanes, steps) for `steps` vectors at a time, the first of which begins at j: a constant that is N, and 1 for
/// the vectors that are left, of which the last may have fewer lanes. With vectors of one element for elements.
template <int W, int N, class F>
SEPTRAN_CPU_INLINE_CALLS void for_lanes_in_step(std::ptrdiff_t begin, std::ptrdiff_t end, const F &body) {
  std::ptrdiff_t j = begin;
#pragma GCC unroll 1
  for (const std::ptrdiff_t last = end - N * W; j <= last; j += N * W)
    body(j, all_lanes<W>(), constant<N>());
#pragma GCC unroll 1
  for (const std::ptrdiff_t last = end - W; j <= last; j += W)
    body(j, all_lanes<W>(), constant<1>());
  if constexpr (W > 1)
    if (j < end)
      body(j, first_lanes<W>{end - j}, constant<1>());
}
/// The same from 0 on.
template <int W, int N, class F>
SEPTRAN_CPU_INLINE_CALLS void for_lanes_in_step(std::ptrdiff_t end, const F &body) {
  for_lanes_in_step<W, N>(0, end, body);
}

/// body(std::true_type()) or body(std::false_type()), as the condition is: code for either, in which it is a
/// constant.
template <class F> SEPTRAN_CPU_INLINE_CALLS void for_case(bool condition, const F &body) {
  if (condition)
    body(std::true_type());
  else
    body(std::false_type());
}

/// body(), for g++ as a function of its own. g++ aligns a loop, and keeps in registers what it needs, by how
/// much of the function's time it expects there: beside code for large sizes, that for small ones would
/// not count. clang++ does not weigh so, and inlines it.
template <class F>
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((noinline))
#endif
inline void apart(const F &body) {
  body();
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_LANES_H
