//===- batched.cpp - many matrix products of one shape: the logic -----------===//
//
// Products and, where these are large, blocks of their rows spread over the processors.
// Below that it is matmul's family, which a mapping may nest to any depth.
//
//===----------------------------------------------------------------------===//
#include "batched/batched.h"

#include "common/gemm.h"

template <class T> using tensor3 = septran::tensor<T, 3>;

[[septran::task]]
void batched([[septran::write]] tensor3<float> C, tensor3<const float> A, tensor3<const float> B) {
  [[septran::tunable]] const int tile_m = 256;
  auto Cp = septran::partition(C, {1, tile_m, C.extent(2)});
  auto Ap = septran::partition(A, {1, tile_m, A.extent(2)});
  for (auto [b, i] : septran::parallel(Cp.extent(0), Cp.extent(1)))
    matmul_blocks(septran::subtensor(Cp(b, i, 0), 0, septran::all, septran::all),
                  septran::subtensor(Ap(b, i, 0), 0, septran::all, septran::all),
                  septran::subtensor(B, b, septran::all, septran::all));
}
