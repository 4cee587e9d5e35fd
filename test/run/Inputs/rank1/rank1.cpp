// A += u * v^T, row by row.
#include <septran/septran.h>

[[septran::leaf]]
void update_leaf(septran::tensor<float, 2> A, septran::tensor<const float, 1> u,
                 septran::tensor<const float, 1> v) {
  for (int i = 0; i < A.extent(0); ++i) {
    const float factor = u(i);
    for (int j = A.extent(1) - 1; j >= 0; --j)
      A(i, j) = A(i, j) + v(j) * factor;
  }
}

[[septran::task]]
void rank1(septran::tensor<float, 2> A, septran::tensor<const float, 1> u,
           septran::tensor<const float, 1> v) {
  [[septran::tunable]] const int tile_i = 8, tile_j = 64;
  auto Ap = septran::partition(A, {tile_i, tile_j});
  auto up = septran::partition(u, {tile_i});
  auto vp = septran::partition(v, {tile_j});
  for (auto [i, j] : septran::parallel(Ap.shape()))
    update_leaf(Ap(i, j), up(i), vp(j));
}
