//===- shifted.h - products of signed bytes by unsigned ones ----*- C++ -*-===//
//
// Instructions multiply bytes without sign by bytes with sign. A + 128 has no sign, and
//
//   sum of A(i, k) B(k, j)  =  sum of (A(i, k) + 128) B(k, j)  -  128 * sum of B(k, j)
//
// modulo 2^32 in any order. So the sums of a tile start at what is too much, less than zero:
//
//   matmul       C = A * B           matmul_shifted  the excess, and the product
//   shifted      C = A * B - excess  shifted_tile    one tile
//                                    shifted_blocks  by tiles of C
//   shift        C = A * B           shift_tile      A + 128, and the product
//                                    shift_blocks    by tiles of C
//
// A tile of shift_blocks makes the rows of A that it needs: others would wait for them elsewhere.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "common/gemm.h"

/// R = A + 128.
[[septran::leaf]]
inline void raise([[septran::write]] matrix<std::uint8_t> R, matrix<const std::int8_t> A) {
  for (int i = 0; i < R.extent(0); ++i)
    for (int k = 0; k < R.extent(1); ++k)
      R(i, k) = std::uint8_t(A(i, k) + 128);
}

/// excess = 128 * the sums of B's columns.
[[septran::leaf]]
inline void column_excess([[septran::write]] septran::tensor<std::int32_t, 1> excess,
                          matrix<const std::int8_t> B) {
  for (int j = 0; j < excess.extent(0); ++j)
    excess(j) = 0;
  for (int k = 0; k < B.extent(0); ++k)
    for (int j = 0; j < excess.extent(0); ++j)
      excess(j) += 128 * std::int32_t(B(k, j));
}

[[septran::task]]
inline void excess_blocks([[septran::write]] septran::tensor<std::int32_t, 1> excess,
                          matrix<const std::int8_t> B) {
  [[septran::tunable]] const int tile = 64;
  auto Ep = septran::partition(excess, {tile});
  auto Bp = septran::partition(B, {B.extent(0), tile});
  for (auto [j] : septran::parallel(Ep.shape()))
    column_excess(Ep(j), Bp(0, j));
}

[[septran::leaf]]
inline void take_off([[septran::write]] matrix<std::int32_t> sums,
                     septran::tensor<const std::int32_t, 1> excess) {
  for (int i = 0; i < sums.extent(0); ++i)
    for (int j = 0; j < sums.extent(1); ++j)
      sums(i, j) = -excess(j);
}

[[septran::task("shifted")]]
inline void shifted_tile([[septran::write]] matrix<std::int32_t> C, matrix<const std::uint8_t> A,
                         matrix<const std::int8_t> B,
                         septran::tensor<const std::int32_t, 1> excess) {
  septran::local<std::int32_t, 2> acc(C.extents());
  take_off(acc, excess);
  gemm_blocked(acc, A, B);
  septran::copy(C, acc);
}

[[septran::task("shifted")]]
inline void shifted_blocks([[septran::write]] matrix<std::int32_t> C, matrix<const std::uint8_t> A,
                           matrix<const std::int8_t> B,
                           septran::tensor<const std::int32_t, 1> excess) {
  [[septran::tunable]] const int tile_m = 128, tile_n = 128;
  auto Cp = septran::partition(C, {tile_m, tile_n});
  auto Ap = septran::partition(A, {tile_m, A.extent(1)});
  auto Bp = septran::partition(B, {B.extent(0), tile_n});
  auto Ep = septran::partition(excess, {tile_n});
  for (auto [i, j] : septran::parallel(Cp.shape()))
    shifted_tile(Cp(i, j), Ap(i, 0), Bp(0, j), Ep(j));
}

[[septran::task("shift")]]
inline void shift_tile([[septran::write]] matrix<std::int32_t> C, matrix<const std::int8_t> A,
                       matrix<const std::int8_t> B,
                       septran::tensor<const std::int32_t, 1> excess) {
  septran::local<std::uint8_t, 2> raised(A.extents());
  raise(raised, A);
  shifted_blocks(C, raised, B, excess);
}

[[septran::task("shift")]]
inline void shift_blocks([[septran::write]] matrix<std::int32_t> C, matrix<const std::int8_t> A,
                         matrix<const std::int8_t> B,
                         septran::tensor<const std::int32_t, 1> excess) {
  [[septran::tunable]] const int tile_m = 128, tile_n = 128;
  auto Cp = septran::partition(C, {tile_m, tile_n});
  auto Ap = septran::partition(A, {tile_m, A.extent(1)});
  auto Bp = septran::partition(B, {B.extent(0), tile_n});
  auto Ep = septran::partition(excess, {tile_n});
  for (auto [i, j] : septran::parallel(Cp.shape()))
    shift_tile(Cp(i, j), Ap(i, 0), Bp(0, j), Ep(j));
}

[[septran::task("matmul")]]
inline void matmul_shifted([[septran::write]] matrix<std::int32_t> C,
                           matrix<const std::int8_t> A, matrix<const std::int8_t> B) {
  septran::local<std::int32_t, 1> excess(B.extent(1));
  excess_blocks(excess, B);
  shift_blocks(C, A, B, excess);
}
