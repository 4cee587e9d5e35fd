//===- rotary.cpp - rotary position embedding: the logic --------------------===//
//
// The two halves of the heads are blocks of one partition. A leaf that gets them as two
// tensors needs no proof that position p of one is not position p of the other.
//
//===----------------------------------------------------------------------===//
#include "rotary/rotary.h"

template <class T> using matrix = septran::tensor<T, 2>;
template <class T> using tensor3 = septran::tensor<T, 3>;

/// Turns the pairs (x, y) by the angles of their positions.
[[septran::leaf]]
void rotate_leaf(tensor3<float> X, tensor3<float> Y, matrix<const float> cos,
                 matrix<const float> sin) {
  for (int t = 0; t < X.extent(0); ++t)
    for (int h = 0; h < X.extent(1); ++h)
      for (int p = 0; p < X.extent(2); ++p) {
        const float x = X(t, h, p), y = Y(t, h, p), c = cos(t, p), s = sin(t, p);
        X(t, h, p) = x * c - y * s;
        Y(t, h, p) = x * s + y * c;
      }
}

[[septran::task]]
void rotary(tensor3<float> X, matrix<const float> cos, matrix<const float> sin) {
  [[septran::tunable]] const int tile_t = 8;
  auto Xp = septran::partition(X, {tile_t, X.extent(1), X.extent(2) / 2});
  auto Cp = septran::partition(cos, {tile_t, cos.extent(1)});
  auto Sp = septran::partition(sin, {tile_t, sin.extent(1)});
  for (auto [t] : septran::parallel(Xp.extent(0)))
    rotate_leaf(Xp(t, 0, 0), Xp(t, 0, 1), Cp(t, 0), Sp(t, 0));
}
