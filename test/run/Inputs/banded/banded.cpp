// C = A * B for a square A that is zero beyond `band` diagonals on either side. Blocks outside the band
// are skipped; within a block the leaf skips elements.
#include "common/gemm.h"

[[septran::leaf]]
void band_leaf(matrix<float> C, matrix<const float> A, matrix<const float> B, int offset, int band) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int k = 0; k < A.extent(1); ++k)
      for (int j = 0; j < C.extent(1); ++j)
        if (i + offset - k <= band && k - i - offset <= band)
          C(i, j) += A(i, k) * B(k, j);
}

[[septran::task]]
void band_rows(matrix<float> C, matrix<const float> A, matrix<const float> B, int band) {
  [[septran::tunable]] const int tile_k = 24;
  auto Ap = septran::partition(A, {A.extent(0), tile_k});
  auto Bp = septran::partition(B, {tile_k, B.extent(1)});
  for (int k = 0; k < Ap.extent(1); ++k) {
    auto Ab = Ap(0, k);
    // Row 0 of this block stands `offset` columns right of its first column.
    const int offset = int(Ab.origin(0) - Ab.origin(1));
    if (offset - int(Ab.extent(1)) >= band || -offset - int(Ab.extent(0)) >= band)
      continue;
    band_leaf(C, Ab, Bp(k, 0), offset, band);
  }
}

[[septran::task]]
void banded([[septran::write]] matrix<float> C, matrix<const float> A, matrix<const float> B,
            int band) {
  [[septran::tunable]] const int tile_m = 16;
  septran::fill(C, 0);
  auto Cp = septran::partition(C, {tile_m, C.extent(1)});
  auto Ap = septran::partition(A, {tile_m, A.extent(1)});
  for (auto [i] : septran::parallel(Cp.extent(0)))
    band_rows(Cp(i, 0), Ap(i, 0), B, band);
}
