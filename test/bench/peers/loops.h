//===- loops.h - what somebody writes who knows OpenMP ----------*- C++ -*-===//
//
// Each file here has the entry points of one example as loops with `omp parallel for` and
// `omp simd`, in the best order of a textbook, without blocking. They are compiled with
// -ffast-math, so that compilers may vectorise sums and call vector versions of functions.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

using integer = std::ptrdiff_t;
template <class T> using vector = septran::tensor<T, 1>;
template <class T> using matrix = septran::tensor<T, 2>;

/// Where row i starts. Elements of a row are neighbours in all tensors of the benchmark.
template <class T> T *row(const matrix<T> &A, integer i) { return A.data() + i * A.stride(0); }

/// Matrix b of several.
template <class T> matrix<T> at(const septran::tensor<T, 3> &A, integer b) {
  return {A.data() + b * A.stride(0), {A.extent(1), A.extent(2)}, {A.stride(1), A.stride(2)}};
}

/// Z(i, j) = f(i, j), row after row.
template <class T, class F> void for_elements(const matrix<T> &Z, F f) {
  const integer m = Z.extent(0), n = Z.extent(1);
#pragma omp parallel for
  for (integer i = 0; i < m; ++i) {
    T *const z = row(Z, i);
#pragma omp simd
    for (integer j = 0; j < n; ++j)
      z[j] = f(i, j);
  }
}

/// C = A B, the innermost loop along rows of B and C.
template <class Sum, class Left, class T>
void multiply(const matrix<Sum> &C, const matrix<const Left> &A, const matrix<const T> &B) {
  const integer m = C.extent(0), n = C.extent(1), k = A.extent(1);
#pragma omp parallel for
  for (integer i = 0; i < m; ++i) {
    Sum *const c = row(C, i);
    std::fill_n(c, n, Sum(0));
    for (integer p = 0; p < k; ++p) {
      const Sum a = Sum(A(i, p));
      const T *const b = row(B, p);
#pragma omp simd
      for (integer j = 0; j < n; ++j)
        c[j] += a * Sum(b[j]);
    }
  }
}
