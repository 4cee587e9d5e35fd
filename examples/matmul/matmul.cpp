//===- matmul.cpp - dense matrix product: the logic -------------------------===//
//
// `matmul` cuts C into tiles and launches matmul_blocks on each, which cuts again,
// down to gemm_leaf. How many of these levels remain, and where they run, is the
// mapping's choice. The other entry points differ in the element type only.
//
//===----------------------------------------------------------------------===//
#include "matmul/matmul.h"

#include "common/gemm.h"
#include "matmul/product.h"
#include "matmul/shifted.h"

[[septran::task]]
void matmul([[septran::write]] matrix<float> C, matrix<const float> A, matrix<const float> B) {
  [[septran::tunable]] const int tile_m = 256, tile_n = 256;
  auto Cp = septran::partition(C, {tile_m, tile_n});
  auto Ap = septran::partition(A, {tile_m, A.extent(1)});
  auto Bp = septran::partition(B, {B.extent(0), tile_n});
  for (auto [i, j] : septran::parallel(Cp.shape()))
    matmul_blocks(Cp(i, j), Ap(i, 0), Bp(0, j));
}

[[septran::task]]
void matmul_f64([[septran::write]] matrix<double> C, matrix<const double> A,
                matrix<const double> B) {
  matmul_blocks(C, A, B);
}

[[septran::task]]
void matmul_f16([[septran::write]] matrix<septran::float16> C, matrix<const septran::float16> A,
                septran::constant<septran::float16, 2> B) {
  matmul_blocks(C, A, B);
}

[[septran::task]]
void matmul_bf16([[septran::write]] matrix<septran::bfloat16> C, matrix<const septran::bfloat16> A,
                 septran::constant<septran::bfloat16, 2> B) {
  matmul_blocks(C, A, B);
}

[[septran::task]]
void matmul_i8([[septran::write]] matrix<std::int32_t> C, matrix<const std::int8_t> A,
               septran::constant<std::int8_t, 2> B) {
  matmul_blocks(C, A, B);
}

[[septran::task]]
void matmul_u8s8([[septran::write]] matrix<std::int32_t> C, matrix<const std::uint8_t> A,
                 septran::constant<std::int8_t, 2> B) {
  matmul_blocks(C, A, B);
}

[[septran::task]]
void matmul_nt([[septran::write]] matrix<float> C, matrix<const float> A, matrix<const float> B) {
  matmul_blocks(C, A, septran::transpose(B));
}

[[septran::task]]
void matmul_tn([[septran::write]] matrix<float> C, matrix<const float> A, matrix<const float> B) {
  matmul_blocks(C, septran::transpose(A), B);
}

[[septran::task]]
void matmul_weights([[septran::write]] matrix<float> C, matrix<const float> A,
                    septran::constant<float, 2> B) {
  matmul_blocks(C, A, B);
}
