//===- gemm.h - matrix products that several examples share -----*- C++ -*-===//
//
// Two families. Every member of a family computes the same thing and has the same
// signature, so a mapping may put one in place of another, and may nest the blocked
// ones to any depth:
//
//   gemm     C += A * B     gemm_leaf     the loops
//                           gemm_blocked  by blocks of m, n and k
//   matmul   C  = A * B     matmul_tile   sums in an accumulator, then converts it to C
//                           matmul_blocks by tiles of C
//                           matmul_steps  by steps along K, in C itself
//                           matmul_wide   by another member, in an accumulator, then converts it
//
// A is M x K, B is K x N, C is M x N. A transposed operand is a view:
// gemm_blocked(C, A, septran::transpose(B)).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

#include <cstdint>

template <class T> using matrix = septran::tensor<T, 2>;

/// The type in which products are summed whose first factors are of type T.
template <class T> struct accumulator {
  using type = T;
};
template <> struct accumulator<septran::float16> {
  using type = float;
};
template <> struct accumulator<septran::bfloat16> {
  using type = float;
};
template <> struct accumulator<std::int8_t> {
  using type = std::int32_t;
};
template <> struct accumulator<std::uint8_t> {
  using type = std::int32_t;
};
template <class T> using accumulator_t = typename accumulator<T>::type;

/// C += A * B.
template <class C_t, class A_t, class B_t>
[[septran::leaf("gemm")]]
void gemm_leaf(matrix<C_t> C, matrix<const A_t> A, matrix<const B_t> B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      for (int k = 0; k < A.extent(1); ++k)
        C(i, j) += C_t(A(i, k)) * C_t(B(k, j));
}

/// C += A * B, by blocks.
template <class C_t, class A_t, class B_t>
[[septran::task("gemm")]]
void gemm_blocked(matrix<C_t> C, matrix<const A_t> A, matrix<const B_t> B) {
  [[septran::tunable]] const int tile_m = 64, tile_n = 64, tile_k = 64;
  auto Cp = septran::partition(C, {tile_m, tile_n});
  auto Ap = septran::partition(A, {tile_m, tile_k});
  auto Bp = septran::partition(B, {tile_k, tile_n});
  for (auto [i, j] : septran::parallel(Cp.shape()))
    for (int k = 0; k < Ap.extent(1); ++k)
      gemm_leaf(Cp(i, j), Ap(i, k), Bp(k, j));
}

/// C = A * B. The sums are rounded to C's type once, at the end.
template <class C_t, class A_t, class B_t>
[[septran::task("matmul")]]
void matmul_tile([[septran::write]] matrix<C_t> C, matrix<const A_t> A, matrix<const B_t> B) {
  septran::local<accumulator_t<A_t>, 2> acc(C.extents());
  septran::fill(acc, 0);
  gemm_blocked(acc, A, B);
  septran::convert(C, acc);
}

/// C = A * B, by tiles of C.
template <class C_t, class A_t, class B_t>
[[septran::task("matmul")]]
void matmul_blocks([[septran::write]] matrix<C_t> C, matrix<const A_t> A, matrix<const B_t> B) {
  [[septran::tunable]] const int tile_m = 128, tile_n = 128;
  auto Cp = septran::partition(C, {tile_m, tile_n});
  auto Ap = septran::partition(A, {tile_m, A.extent(1)});
  auto Bp = septran::partition(B, {B.extent(0), tile_n});
  for (auto [i, j] : septran::parallel(Cp.shape()))
    matmul_tile(Cp(i, j), Ap(i, 0), Bp(0, j));
}

/// C = A * B, by steps along K, each of which adds to what C has. C's type is rounded to after
/// each.
template <class C_t, class A_t, class B_t>
[[septran::task("matmul")]]
void matmul_steps([[septran::write]] matrix<C_t> C, matrix<const A_t> A, matrix<const B_t> B) {
  [[septran::tunable]] const int tile_k = 512;
  auto Ap = septran::partition(A, {A.extent(0), tile_k});
  auto Bp = septran::partition(B, {tile_k, B.extent(1)});
  if (A.extent(1) > 0)
    matmul_blocks(C, Ap(0, 0), Bp(0, 0));
  else
    septran::fill(C, 0);
  for (int k = 1; k < Ap.extent(1); ++k)
    gemm_blocked(C, Ap(0, k), Bp(k, 0));
}

/// C = A * B, by steps in an accumulator. The sums are rounded to C's type once, at the end.
template <class C_t, class A_t, class B_t>
[[septran::task("matmul")]]
void matmul_wide([[septran::write]] matrix<C_t> C, matrix<const A_t> A, matrix<const B_t> B) {
  septran::local<accumulator_t<A_t>, 2> acc(C.extents());
  matmul_steps(acc, A, B);
  septran::convert(C, acc);
}
