// Y = X * W^T in bfloat16 with sums in f32: a linear layer, whose weights lie a row per output.
#include <septran/leaves.h>
#include <septran/septran.h>

template <class T> using matrix = septran::tensor<T, 2>;
using half = septran::bfloat16;

[[septran::leaf]]
void layer_leaf(matrix<float> Y, matrix<const half> X, matrix<const half> W) {
  for (int j = 0; j < W.extent(0); ++j)
    for (int i = 0; i < Y.extent(0); ++i) {
      float sum = 0;
      for (int k = 0; k < X.extent(1); ++k)
        sum += float(X(i, k)) * float(W(j, k));
      Y(i, j) += sum;
    }
}

[[septran::task]]
void layer_block([[septran::write]] matrix<float> Y, matrix<const half> X, matrix<const half> W) {
  [[septran::tunable]] const int tile_k = 64;
  septran::local<float, 2> sum(Y.extents());
  septran::fill(sum, 0.0f);
  auto Xp = septran::partition(X, {X.extent(0), tile_k});
  auto Wp = septran::partition(W, {W.extent(0), tile_k});
  for (int k = 0; k < Xp.extent(1); ++k)
    layer_leaf(sum, Xp(0, k), Wp(0, k));
  septran::copy(Y, sum);
}

[[septran::task]]
void halves([[septran::write]] matrix<float> Y, matrix<const half> X, matrix<const half> W) {
  [[septran::tunable]] const int tile_m = 32, tile_n = 32;
  auto Yp = septran::partition(Y, {tile_m, tile_n});
  auto Xp = septran::partition(X, {tile_m, X.extent(1)});
  auto Wp = septran::partition(W, {tile_n, W.extent(1)});
  for (auto [i, j] : septran::parallel(Yp.shape()))
    layer_block(Yp(i, j), Xp(i, 0), Wp(j, 0));
}
