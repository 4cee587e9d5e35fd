// C = A * B for unsigned by signed bytes, summed in 32 bits: an 8-bit quantised layer.
#include <septran/leaves.h>
#include <septran/septran.h>

#include <cstdint>

template <class T> using matrix = septran::tensor<T, 2>;

[[septran::leaf]]
void product_leaf(matrix<std::int32_t> C, matrix<const std::uint8_t> A,
                  matrix<const std::int8_t> B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      for (int k = 0; k < A.extent(1); ++k)
        C(i, j) += A(i, k) * B(k, j);
}

[[septran::task]]
void product_steps(matrix<std::int32_t> C, matrix<const std::uint8_t> A,
                   matrix<const std::int8_t> B) {
  [[septran::tunable]] const int tile_k = 64;
  auto Ap = septran::partition(A, {A.extent(0), tile_k});
  auto Bp = septran::partition(B, {tile_k, B.extent(1)});
  for (int k = 0; k < Ap.extent(1); ++k)
    product_leaf(C, Ap(0, k), Bp(k, 0));
}

[[septran::task]]
void product_block([[septran::write]] matrix<std::int32_t> C, matrix<const std::uint8_t> A,
                   matrix<const std::int8_t> B) {
  septran::local<std::int32_t, 2> sum(C.extents());
  septran::fill(sum, 0);
  product_steps(sum, A, B);
  septran::copy(C, sum);
}

[[septran::task]]
void product_tile([[septran::write]] matrix<std::int32_t> C, matrix<const std::uint8_t> A,
                  matrix<const std::int8_t> B) {
  [[septran::tunable]] const int tile_m = 6, tile_n = 48;
  auto Cp = septran::partition(C, {tile_m, tile_n});
  auto Ap = septran::partition(A, {tile_m, A.extent(1)});
  auto Bp = septran::partition(B, {B.extent(0), tile_n});
  for (auto [i, j] : septran::parallel(Cp.shape()))
    product_block(Cp(i, j), Ap(i, 0), Bp(0, j));
}

[[septran::task]]
void bytes([[septran::write]] matrix<std::int32_t> C, matrix<const std::uint8_t> A,
           matrix<const std::int8_t> B) {
  [[septran::tunable]] const int tile_m = 32, tile_n = 32;
  auto Cp = septran::partition(C, {tile_m, tile_n});
  auto Ap = septran::partition(A, {tile_m, A.extent(1)});
  auto Bp = septran::partition(B, {B.extent(0), tile_n});
  for (auto [i, j] : septran::parallel(Cp.shape()))
    product_tile(Cp(i, j), Ap(i, 0), Bp(0, j));
}
