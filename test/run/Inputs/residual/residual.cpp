// Y = rmsnorm(X + R) * W: the sum and its norm stay with a block of rows, and feed a product by blocks
// of columns.
#include "common/gemm.h"

#include <septran/leaves.h>

template <class T> using vector = septran::tensor<T, 1>;

/// Scales every row to a mean square of 1, then by `gain` per column.
[[septran::leaf]]
void rms_rows(matrix<float> h, vector<const float> gain) {
  for (int i = 0; i < h.extent(0); ++i) {
    float squares = 0;
    for (int j = 0; j < h.extent(1); ++j)
      squares += h(i, j) * h(i, j);
    const float factor = 1 / std::sqrt(squares / float(h.extent(1)) + 1e-5f);
    for (int j = 0; j < h.extent(1); ++j)
      h(i, j) *= factor * gain(j);
  }
}

[[septran::task]]
void project_rows([[septran::write]] matrix<float> Y, matrix<const float> X, matrix<const float> R,
                  vector<const float> gain, matrix<const float> W) {
  [[septran::tunable]] const int tile_n = 32;
  septran::local<float, 2> h(X.extents());
  septran::add(h, X, R);
  rms_rows(h, gain);
  auto Yp = septran::partition(Y, {Y.extent(0), tile_n});
  auto Wp = septran::partition(W, {W.extent(0), tile_n});
  for (auto [j] : septran::parallel(Yp.extent(1)))
    matmul_blocks(Yp(0, j), h, Wp(0, j));
}

[[septran::task]]
void residual([[septran::write]] matrix<float> Y, matrix<const float> X, matrix<const float> R,
              vector<const float> gain, matrix<const float> W) {
  [[septran::tunable]] const int tile_m = 32;
  auto Yp = septran::partition(Y, {tile_m, Y.extent(1)});
  auto Xp = septran::partition(X, {tile_m, X.extent(1)});
  auto Rp = septran::partition(R, {tile_m, R.extent(1)});
  for (auto [i] : septran::parallel(Yp.extent(0)))
    project_rows(Yp(i, 0), Xp(i, 0), Rp(i, 0), gain, W);
}
