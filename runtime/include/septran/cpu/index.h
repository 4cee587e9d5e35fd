//===- septran/cpu/index.h - Block arithmetic and threads -------*- C++ -*-===//
//
// The integer helpers of blocked loops, and who runs them. Valid with and without -fopenmp.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_INDEX_H
#define SEPTRAN_CPU_INDEX_H

#include <cstddef>
#include <type_traits>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace septran::cpu {

/// A size or distance that the compiler knows.
template <std::ptrdiff_t N> using constant = std::integral_constant<std::ptrdiff_t, N>;

/// How many blocks of `block` cover `extent`; none if either is not positive.
constexpr std::ptrdiff_t ceil_div(std::ptrdiff_t extent, std::ptrdiff_t block) {
  return extent <= 0 || block <= 0 ? 0 : (extent - 1) / block + 1;
}

/// The least multiple of `block` that is not less than `extent`.
constexpr std::ptrdiff_t round_up(std::ptrdiff_t extent, std::ptrdiff_t block) {
  return ceil_div(extent, block) * block;
}

/// How many of W lanes are used when n elements are left: n, but at least 0 and at most W.
template <int W> constexpr std::ptrdiff_t clamp_lanes(std::ptrdiff_t n) {
  return n < 0 ? 0 : n > W ? W : n;
}

constexpr std::ptrdiff_t min_index(std::ptrdiff_t a, std::ptrdiff_t b) { return a < b ? a : b; }
constexpr std::ptrdiff_t max_index(std::ptrdiff_t a, std::ptrdiff_t b) { return a > b ? a : b; }

/// body(at...), by a copy of the lambda. What a lambda has captured is memory that a store may have
/// changed, for all that a compiler knows; what belongs to this function alone stays in registers, if the body
/// is part of it: such lambdas are always_inline. g++ gets a function of its own, see apart (lanes.h).
template <class F, class... Indices>
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((noinline))
#endif
inline void on_copy(F body, Indices... at) {
  body(at...);
}

namespace detail {
template <int Dimensions, class F, class... Indices>
inline void in_order(const F &body, const std::ptrdiff_t *counts, Indices... at) {
  if constexpr (Dimensions == 0)
    on_copy(body, at...);
  else
    for (std::ptrdiff_t i = 0; i < *counts; ++i)
      in_order<Dimensions - 1>(body, counts + 1, at..., i);
}
} // namespace detail

/// body(i, j, ...), by a copy of the lambda, for so many numbers from 0 on in each place: what threads
/// would share, in order.
template <class F, class... Counts> inline void in_order(const F &body, Counts... counts) {
  const std::ptrdiff_t all[] = {std::ptrdiff_t(counts)...};
  detail::in_order<int(sizeof...(Counts))>(body, all);
}

/// g++ 12 forgets `#pragma GCC unroll` on loops of a parallel region, which becomes a function of its
/// own, unless code that is inlined into that function has an unrolled loop too. This is such code, and
/// leaves no instruction behind. To be called in the region, before the loop.
[[gnu::always_inline]] inline void unroll_in_region() {
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll 2
  for (int i = 0; i < 2; ++i)
    asm volatile("");
#endif
}

#ifdef _OPENMP
/// Threads of the current team: 1 outside a parallel region.
inline int thread_count() { return omp_get_num_threads(); }
/// This thread's number in its team: 0 <= thread_id() < thread_count().
inline int thread_id() { return omp_get_thread_num(); }
/// Threads that a parallel region begun here would have.
inline int max_thread_count() { return omp_get_max_threads(); }
#else
inline int thread_count() { return 1; }
inline int thread_id() { return 0; }
inline int max_thread_count() { return 1; }
#endif

} // namespace septran::cpu

#endif // SEPTRAN_CPU_INDEX_H
