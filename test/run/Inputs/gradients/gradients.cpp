// G(k, j) = sum over i of X(i, k) * D(i, j): the first operand lies by columns.
#include <septran/leaves.h>
#include <septran/septran.h>

template <class T> using matrix = septran::tensor<T, 2>;

[[septran::leaf("outer_sum")]]
void outer_sum_leaf(matrix<float> G, matrix<const float> X, matrix<const float> D) {
  for (int i = 0; i < X.extent(0); ++i)
    for (int k = 0; k < G.extent(0); ++k)
      for (int j = 0; j < G.extent(1); ++j)
        G(k, j) += D(i, j) * X(i, k);
}

[[septran::task("outer_sum")]]
void outer_sum_steps(matrix<float> G, matrix<const float> X, matrix<const float> D) {
  [[septran::tunable]] const int step = 32;
  auto Xp = septran::partition(X, {step, X.extent(1)});
  auto Dp = septran::partition(D, {step, D.extent(1)});
  for (int i = 0; i < Xp.extent(0); ++i)
    outer_sum_leaf(G, Xp(i, 0), Dp(i, 0));
}

[[septran::task]]
void gradient_tile([[septran::write]] matrix<float> G, matrix<const float> X,
                   matrix<const float> D) {
  septran::local<float, 2> sum(G.extents());
  septran::fill(sum, 0);
  outer_sum_steps(sum, X, D);
  septran::copy(G, sum);
}

[[septran::task]]
void gradients([[septran::write]] matrix<float> G, matrix<const float> X, matrix<const float> D) {
  [[septran::tunable]] const int tile_k = 32, tile_j = 32;
  auto Gp = septran::partition(G, {tile_k, tile_j});
  auto Xp = septran::partition(X, {X.extent(0), tile_k});
  auto Dp = septran::partition(D, {D.extent(0), tile_j});
  for (auto [k, j] : septran::parallel(Gp.shape()))
    gradient_tile(Gp(k, j), Xp(0, k), Dp(0, j));
}
