// Implied variants: blocks within blocks, sums that start at something, positions.
#include <septran/septran.h>

#include <cmath>

template <class T> using vector = septran::tensor<T, 1>;
template <class T> using matrix = septran::tensor<T, 2>;

[[septran::leaf]]
void scores_leaf([[septran::write]] matrix<float> S, matrix<const float> Q, matrix<const float> K,
                 vector<const float> bias, float scale, int width) {
  for (int i = 0; i < S.extent(0); ++i)
    for (int j = 0; j < S.extent(1); ++j) {
      const float first = bias(j) * scale;
      float sum = first;
      for (int d = 0; d < Q.extent(1); ++d)
        sum += Q(i, d) * K(j, d);
      const int gap = int(S.origin(0)) + i - int(S.origin(1)) - j;
      if (gap > width)
        sum = -1.0F;
      S(i, j) = sum - first;
    }
}
[[septran::task]]
void scores([[septran::write]] matrix<float> S, matrix<const float> Q, matrix<const float> K,
            vector<const float> bias, float scale, int width) {
  [[septran::tunable]] const int tile_m = 64, tile_n = 64;
  auto Sp = septran::partition(S, {tile_m, tile_n});
  auto Qp = septran::partition(Q, {tile_m, Q.extent(1)});
  auto Kp = septran::partition(K, {tile_n, K.extent(1)});
  auto bp = septran::partition(bias, {tile_n});
  for (auto [i, j] : septran::parallel(Sp.shape()))
    scores_leaf(Sp(i, j), Qp(i, 0), Kp(j, 0), bp(j), scale, width);
}
