//===- Lanes.h - What the tests of vectors share ----------------------------===//
//
// Lanes are compared in plain arrays by one function per element type, so that a test costs little
// to compile for each vector type: these tests are built once for every level of the processor.
//
// What the headers do depends on how a vector compares with the registers of the target. So tests
// take two lanes, `full` lanes and twice as many, rather than fixed numbers.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_TEST_UNIT_CPU_LANES_H
#define SEPTRAN_TEST_UNIT_CPU_LANES_H

#include <septran/cpu/native.h>

#include <gtest/gtest.h>

#include <cstring>

namespace lanes_test {

/// Lanes of type T that fill a register of the target.
template <class T>
inline constexpr int full = septran::cpu::detail::native::register_bytes / sizeof(T);

/// The same value, zeros with their sign; NaN is NaN whatever its bits are.
template <class T> bool same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a != a ? b != b : !std::memcmp(&a, &b, sizeof(T));
  else
    return a == b;
}

/// Reports the first of n elements that differ; says whether all are the same.
template <class T>
__attribute__((noinline)) bool expect_same(const T *got, const T *expected, int n) {
  for (int i = 0; i < n; ++i)
    if (!same(got[i], expected[i])) {
      ADD_FAILURE() << "element " << i << " of " << n << " is " << testing::PrintToString(+got[i])
                    << ", expected " << testing::PrintToString(+expected[i]);
      return false;
    }
  return true;
}

/// Expects `expected(i)` in each lane i of v.
template <septran::cpu::vector V, class F> bool expect_lanes(const V &v, const F &expected) {
  using T = septran::cpu::lane_of<V>;
  constexpr int W = septran::cpu::width_of<V>;
  T got[W], want[W];
  std::memcpy(got, &v, sizeof v);
#pragma GCC unroll 1
  for (int i = 0; i < W; ++i)
    want[i] = T(expected(i));
  return expect_same<T>(got, want, W);
}

/// Expects `expected(i)` in p[i], i < n <= 64.
template <class T, class F> bool expect_elements(const T *p, int n, const F &expected) {
  using L = septran::cpu::lane_t<T>;
  L got[64], want[64];
#pragma GCC unroll 1
  for (int i = 0; i < n; ++i) {
    got[i] = L(p[i]);
    want[i] = L(expected(i));
  }
  return expect_same<L>(got, want, n);
}

} // namespace lanes_test

#endif
