// The sample program of docs: every construct at once.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 | FileCheck %s --match-full-lines
#include <septran/leaves.h>
#include <septran/septran.h>

template <class T> using matrix = septran::tensor<T, 2>;

/// C += A * B.
template <class C_t, class T>
[[septran::leaf("gemm")]]
void gemm_leaf(matrix<C_t> C, matrix<const T> A, matrix<const T> B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      for (int k = 0; k < A.extent(1); ++k)
        C(i, j) += C_t(A(i, k)) * C_t(B(k, j));
}

/// C += A * B, by blocks. A variant of the same task: a mapping may nest it to any depth.
template <class C_t, class T>
[[septran::task("gemm")]]
void gemm_blocked(matrix<C_t> C, matrix<const T> A, matrix<const T> B) {
  [[septran::tunable]] const int tile_m = 64, tile_n = 64, tile_k = 64;
  auto Cp = septran::partition(C, {tile_m, tile_n});
  auto Ap = septran::partition(A, {tile_m, tile_k});
  auto Bp = septran::partition(B, {tile_k, tile_n});
  for (auto [i, j] : septran::parallel(Cp.shape()))
    for (int k = 0; k < Ap.extent(1); ++k)
      gemm_leaf(Cp(i, j), Ap(i, k), Bp(k, j));
}

/// One tile of C = A * B.
[[septran::task]]
void matmul_tile([[septran::write]] matrix<float> C, matrix<const float> A, matrix<const float> B) {
  septran::local<float, 2> acc(C.extents());
  septran::fill(acc, 0.0f);
  gemm_blocked(acc, A, B);
  septran::convert(C, acc);
}

/// C = A * B: the entry point that the rest of the user's program calls.
[[septran::task]]
void matmul([[septran::write]] matrix<float> C, matrix<const float> A, matrix<const float> B) {
  [[septran::tunable]] const int tile_m = 128, tile_n = 128;
  auto Cp = septran::partition(C, {tile_m, tile_n});
  auto Ap = septran::partition(A, {tile_m, A.extent(1)});
  auto Bp = septran::partition(B, {B.extent(0), tile_n});
  for (auto [i, j] : septran::parallel(Cp.shape()))
    matmul_tile(Cp(i, j), Ap(i, 0), Bp(0, j));
}

// CHECK: leaf gemm_leaf<float, float> of family gemm(read-write f32[2] C, read f32[2] A, read f32[2] B) at {{.*/}}sample.cpp:{{[0-9]+}} {
// CHECK-NEXT:   for (i : 0 .. C.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. C.extent(1)) {
// CHECK-NEXT:       for (k : 0 .. A.extent(1)) {
// CHECK-NEXT:         C(i, j) += A(i, k) * B(k, j)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: task gemm_blocked<float, float> of family gemm(read-write f32[2] C, read f32[2] A, read f32[2] B) at {{.*/}}sample.cpp:{{[0-9]+}} {
// CHECK-NEXT:   tunable tile_m = 64
// CHECK-NEXT:   tunable tile_n = 64
// CHECK-NEXT:   tunable tile_k = 64
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(C.extent(0), tile_m)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(C.extent(1), tile_n)) group 1 {
// CHECK-NEXT:       for (k : 0 .. ceil_div(A.extent(1), tile_k)) {
// CHECK-NEXT:         launch gemm_leaf(C[block i of tile_m, block j of tile_n], A[block i of tile_m, block k of tile_k], B[block k of tile_k, block j of tile_n])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: task matmul_tile(write f32[2] C, read f32[2] A, read f32[2] B) at {{.*/}}sample.cpp:{{[0-9]+}}, entry {
// CHECK-NEXT:   local acc : f32[C.extent(0), C.extent(1)]
// CHECK-NEXT:   launch fill(acc, 0.0f)
// CHECK-NEXT:   launch gemm_blocked(acc, A, B)
// CHECK-NEXT:   launch convert(C, acc)
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: task matmul(write f32[2] C, read f32[2] A, read f32[2] B) at {{.*/}}sample.cpp:{{[0-9]+}}, entry {
// CHECK-NEXT:   tunable tile_m = 128
// CHECK-NEXT:   tunable tile_n = 128
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(C.extent(0), tile_m)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(C.extent(1), tile_n)) group 1 {
// CHECK-NEXT:       launch matmul_tile(C[block i of tile_m, block j of tile_n], A[block i of tile_m, all], B[all, block j of tile_n])
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: leaf fill<float>(write f32[2] x, f32 value) at {{.*/}}elementwise.h:{{[0-9]+}} {
// CHECK-NEXT:   for (i : 0 .. x.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. x.extent(1)) {
// CHECK-NEXT:       x(i, j) = value
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: leaf convert<float, float>(write f32[2] dst, read f32[2] src) at {{.*/}}elementwise.h:{{[0-9]+}} {
// CHECK-NEXT:   for (i : 0 .. dst.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. dst.extent(1)) {
// CHECK-NEXT:       dst(i, j) = src(i, j)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
