//===- transpose.cpp - rows and columns exchanged: the logic ----------------===//
#include "transpose/transpose.h"

template <class T> using matrix = septran::tensor<T, 2>;

[[septran::leaf]]
void transpose_leaf([[septran::write]] matrix<float> Y, matrix<const float> X) {
  for (int i = 0; i < Y.extent(0); ++i)
    for (int j = 0; j < Y.extent(1); ++j)
      Y(i, j) = X(j, i);
}

[[septran::task]]
void transpose([[septran::write]] matrix<float> Y, matrix<const float> X) {
  [[septran::tunable]] const int tile_m = 64, tile_n = 64;
  auto Yp = septran::partition(Y, {tile_m, tile_n});
  auto Xp = septran::partition(X, {tile_n, tile_m});
  for (auto [i, j] : septran::parallel(Yp.shape()))
    transpose_leaf(Yp(i, j), Xp(j, i));
}
