//===- elementwise.cpp - operations on every element by itself: the logic ---===//
#include "elementwise/elementwise.h"

#include "common/activations.h"

template <class T> using vector = septran::tensor<T, 1>;
template <class T> using matrix = septran::tensor<T, 2>;

template <activation Which, class T>
[[septran::leaf]]
void activate_leaf([[septran::write]] matrix<T> Y, matrix<const T> X) {
  for (int i = 0; i < Y.extent(0); ++i)
    for (int j = 0; j < Y.extent(1); ++j)
      Y(i, j) = T(activate<Which>(float(X(i, j))));
}

template <activation Which, class T>
[[septran::task]]
void activate_blocks([[septran::write]] matrix<T> Y, matrix<const T> X) {
  [[septran::tunable]] const int tile_m = 8, tile_n = 2048;
  auto Yp = septran::partition(Y, {tile_m, tile_n});
  auto Xp = septran::partition(X, {tile_m, tile_n});
  for (auto [i, j] : septran::parallel(Yp.shape()))
    activate_leaf<Which>(Yp(i, j), Xp(i, j));
}

[[septran::task]]
void gelu([[septran::write]] matrix<float> Y, matrix<const float> X) {
  activate_blocks<activation::gelu>(Y, X);
}

[[septran::task]]
void gelu_tanh([[septran::write]] matrix<float> Y, matrix<const float> X) {
  activate_blocks<activation::gelu_tanh>(Y, X);
}

[[septran::task]]
void silu([[septran::write]] matrix<float> Y, matrix<const float> X) {
  activate_blocks<activation::silu>(Y, X);
}

[[septran::leaf]]
void residual_leaf([[septran::write]] matrix<float> Y, matrix<const float> X, matrix<const float> H,
                   vector<const float> gate) {
  for (int i = 0; i < Y.extent(0); ++i)
    for (int j = 0; j < Y.extent(1); ++j)
      Y(i, j) = X(i, j) + gate(j) * H(i, j);
}

[[septran::task]]
void residual([[septran::write]] matrix<float> Y, matrix<const float> X, matrix<const float> H,
              vector<const float> gate) {
  [[septran::tunable]] const int tile_m = 8, tile_n = 2048;
  auto Yp = septran::partition(Y, {tile_m, tile_n});
  auto Xp = septran::partition(X, {tile_m, tile_n});
  auto Hp = septran::partition(H, {tile_m, tile_n});
  auto Gp = septran::partition(gate, {tile_n});
  for (auto [i, j] : septran::parallel(Yp.shape()))
    residual_leaf(Yp(i, j), Xp(i, j), Hp(i, j), Gp(j));
}

[[septran::leaf]]
void modulate_leaf([[septran::write]] matrix<float> Y, matrix<const float> X,
                   vector<const float> shift, vector<const float> scale) {
  for (int i = 0; i < Y.extent(0); ++i)
    for (int j = 0; j < Y.extent(1); ++j)
      Y(i, j) = X(i, j) * (1 + scale(j)) + shift(j);
}

[[septran::task]]
void modulate([[septran::write]] matrix<float> Y, matrix<const float> X, vector<const float> shift,
              vector<const float> scale) {
  [[septran::tunable]] const int tile_m = 8, tile_n = 2048;
  auto Yp = septran::partition(Y, {tile_m, tile_n});
  auto Xp = septran::partition(X, {tile_m, tile_n});
  auto shifts = septran::partition(shift, {tile_n});
  auto scales = septran::partition(scale, {tile_n});
  for (auto [i, j] : septran::parallel(Yp.shape()))
    modulate_leaf(Yp(i, j), Xp(i, j), shifts(j), scales(j));
}
