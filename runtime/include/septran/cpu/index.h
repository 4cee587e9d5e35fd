//===- septran/cpu/index.h - Integers of loops and threads ------*- C++ -*-===//
//
// What generated loops compute their bounds with. Threads are those of OpenMP; without OpenMP there is
// one, number 0.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_INDEX_H
#define SEPTRAN_CPU_INDEX_H

#include <cstddef>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace septran::cpu {

/// The least q with q * b >= a, for a >= 0; 0 if b is 0.
constexpr std::ptrdiff_t ceil_div(std::ptrdiff_t a, std::ptrdiff_t b) {
  return b == 0 ? 0 : (a + b - 1) / b;
}

/// a, rounded up to a multiple of b > 0.
constexpr std::ptrdiff_t round_up(std::ptrdiff_t a, std::ptrdiff_t b) { return ceil_div(a, b) * b; }

/// How many of W lanes are left when n elements are: n, at least 0 and at most W.
template <int W> constexpr std::ptrdiff_t clamp_lanes(std::ptrdiff_t n) {
  return n < 0 ? 0 : n > W ? W : n;
}

/// The size of the team that the next parallel region gets.
inline std::ptrdiff_t max_threads() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

/// The calling thread's number in its team.
inline std::ptrdiff_t thread_id() {
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_INDEX_H
