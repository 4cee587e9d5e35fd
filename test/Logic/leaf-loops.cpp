// Loops, conditions and early exits of leaves.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 | FileCheck %s --match-full-lines
#include <septran/septran.h>

#include <algorithm>
#include <cassert>
#include <cstddef>

using vector = septran::tensor<float, 1>;
using matrix = septran::tensor<float, 2>;
using csr = septran::tensor<const int, 1>;

// CHECK-LABEL: leaf upwards(read-write f32[1] x, i32 lo, i32 hi) at {{.*/}}leaf-loops.cpp:{{[0-9]+}} {
// CHECK-NEXT:   for (i : lo .. hi + 1) {
// CHECK-NEXT:     x(i) = 1.0f
// CHECK-NEXT:   }
// CHECK-NEXT:   for (i_1 : 0 .. x.extent(0)) {
// CHECK-NEXT:     x(i_1) = 2.0f
// CHECK-NEXT:   }
// CHECK-NEXT:   for (i_2 : lo .. hi) {
// CHECK-NEXT:     x(i_2) = 3.0f
// CHECK-NEXT:   }
// CHECK-NEXT:   for (i_3 : 0 .. hi step 4) {
// CHECK-NEXT:     x(i_3) = 4.0f
// CHECK-NEXT:   }
// CHECK-NEXT:   for (i_4 : 0 .. x.extent(0) - 2 step 2) {
// CHECK-NEXT:     x(i_4) = 5.0f
// CHECK-NEXT:   }
// CHECK-NEXT:   for (i_5 : 0 .. hi - 1 step 3) {
// CHECK-NEXT:     x(i_5) = 6.0f
// CHECK-NEXT:   }
// CHECK-NEXT: }
/// Every spelling of a loop that counts up by a constant.
[[septran::leaf]] void upwards(vector x, int lo, int hi) {
  for (int i = lo; i <= hi; ++i)
    x(i) = 1;
  for (std::size_t i = 0; i < std::size_t(x.extent(0)); i++)
    x(i) = 2;
  for (long i = lo; i != hi; i += 1)
    x(i) = 3;
  for (int i = 0; hi > i; i = i + 4)
    x(i) = 4;
  for (int i = 0, n = x.extent(0) - 1; i + 2 <= n; i += 2)
    x(i) = 5;
  for (unsigned i = 0; i + 1 < unsigned(hi); i = 3 + i)
    x(i) = 6;
}

// CHECK-LABEL: leaf renumbered(read-write f32[1] x, i32 n, i32 step) at {{.*/}}leaf-loops.cpp:{{[0-9]+}} {
// CHECK-NEXT:   for (i : 0 .. n) {
// CHECK-NEXT:     x(n - i - 1) = 1.0f
// CHECK-NEXT:   }
// CHECK-NEXT:   for (i_1 : 0 .. ceil_div(max(n, 0), 2)) {
// CHECK-NEXT:     x(n - i_1 * 2) = 2.0f
// CHECK-NEXT:   }
// CHECK-NEXT:   for (i_2 : 0 .. ceil_div(max(n - 1, 0), step)) {
// CHECK-NEXT:     x(i_2 * step + 1) = 3.0f
// CHECK-NEXT:   }
// CHECK-NEXT: }
/// What counts down or by a value becomes a loop over the number of the iteration.
[[septran::leaf]] void renumbered(vector x, int n, int step) {
  for (int i = n - 1; i >= 0; --i)
    x(i) = 1;
  for (int i = n; i > 0; i -= 2)
    x(i) = 2;
  for (int i = 1; i < n; i += step)
    x(i) = 3;
}

// CHECK-LABEL: leaf bounds(read-write f32[2] C, read f32[2] A, read i32[1] rows, i32 low, i32 high) at {{.*/}}leaf-loops.cpp:{{[0-9]+}} {
// CHECK-NEXT:   for (i : 0 .. C.extent(0)) {
// CHECK-NEXT:     for (k : max(i - low, 0) .. min(A.extent(1), i + high + 1)) {
// CHECK-NEXT:       C(i, 0) += A(i, k)
// CHECK-NEXT:     }
// CHECK-NEXT:     for (k_1 : rows(i) .. rows(i + 1)) {
// CHECK-NEXT:       C(i, 1) += A(k_1, 0)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
/// Bounds that depend on outer loops, on clipping and on elements.
[[septran::leaf]] void bounds(matrix C, septran::tensor<const float, 2> A, csr rows, int low, int high) {
  for (int i = 0; i < C.extent(0); ++i) {
    const int begin = std::max(0, i - low);
    const int end = std::min(int(A.extent(1)), i + high + 1);
    for (int k = begin; k < end; ++k)
      C(i, 0) += A(i, k);
    for (int k = rows(i); k < rows(i + 1); ++k)
      C(i, 1) += A(k, 0);
  }
}

// CHECK-LABEL: leaf jumps(read-write f32[2] x, i32 n, bool flag) at {{.*/}}leaf-loops.cpp:{{[0-9]+}} {
// CHECK-NEXT:   if (n != 0) {
// CHECK-NEXT:     for (i : 0 .. n) {
// CHECK-NEXT:       if (i == 3) {
// CHECK-NEXT:         x(i, 0) = 3.0f
// CHECK-NEXT:       } else {
// CHECK-NEXT:         if (flag) {
// CHECK-NEXT:           if (i <= 5) {
// CHECK-NEXT:             x(i, 1) = 1.0f
// CHECK-NEXT:             x(i, 2) = 2.0f
// CHECK-NEXT:           }
// CHECK-NEXT:         } else {
// CHECK-NEXT:           if (i != 7) {
// CHECK-NEXT:             x(i, 2) = 2.0f
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
/// Jumps become conditions.
[[septran::leaf]] void jumps(matrix x, int n, bool flag) {
  assert(n > 0);
  if (n == 0)
    return;
  for (int i = 0; i < n; ++i) {
    if (i == 3) {
      x(i, 0) = 3;
      continue;
    }
    if (flag) {
      if (i > 5)
        continue;
      x(i, 1) = 1;
    } else if (i == 7)
      continue;
    x(i, 2) = 2;
  }
}

// CHECK-LABEL: leaf known<true, 8>(read-write f32[2] x) at {{.*/}}leaf-loops.cpp:{{[0-9]+}} {
// CHECK-NEXT:   x(0, 1) = 1.0f
// CHECK-NEXT:   x(2, 2) = 2.0f
// CHECK-NEXT:   for (i : 0 .. 8) {
// CHECK-NEXT:     x(i, i) = 3.0f
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-LABEL: leaf known<false, 2>(read-write f32[2] x) at {{.*/}}leaf-loops.cpp:{{[0-9]+}} {
// CHECK-NEXT:   x(1, 0) = 1.0f
// CHECK-NEXT:   for (i : 0 .. 2) {
// CHECK-NEXT:     x(i, i) = 3.0f
// CHECK-NEXT:   }
// CHECK-NEXT: }
/// Conditions that the compiler knows.
template <bool Transposed, int Width>
[[septran::leaf]] void known(matrix x) {
  if constexpr (Transposed)
    x(0, 1) = 1;
  else
    x(1, 0) = 1;
  if (Width > 4)
    x(2, 2) = 2;
  static_assert(Width > 0);
  using size = int;
  for (size i = 0; i < Width; ++i)
    x(i, i) = 3;
}
template void known<true, 8>(matrix);
template void known<false, 2>(matrix);

// CHECK-LABEL: leaf independent(read-write f32[2] x) at {{.*/}}leaf-loops.cpp:{{[0-9]+}} {
// CHECK-NEXT:   parallel for (i : 0 .. x.extent(0)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. x.extent(1)) group 1 {
// CHECK-NEXT:       x(i, j) = 0.0f
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   parallel for (i_1 : 0 .. x.extent(0)) {
// CHECK-NEXT:     x(i_1, i_1) = 1.0f
// CHECK-NEXT:   }
// CHECK-NEXT: }
/// Iterations that the user calls independent.
[[septran::leaf]] void independent(matrix x) {
  for (auto [i, j] : septran::parallel(x.extents()))
    x(i, j) = 0;
  for (auto [i] : septran::parallel(x.extent(0)))
    x(i, i) = 1;
}
