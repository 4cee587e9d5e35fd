//===- saxpy.cpp - y = a * x + y: the logic ----------------------------------===//
#include "saxpy/saxpy.h"

template <class T> using vector = septran::tensor<T, 1>;

[[septran::leaf]]
void saxpy_leaf(vector<float> y, float a, vector<const float> x) {
  for (int i = 0; i < y.extent(0); ++i)
    y(i) += a * x(i);
}

[[septran::task]]
void saxpy(vector<float> y, float a, vector<const float> x) {
  [[septran::tunable]] const int tile = 16384;
  auto yp = septran::partition(y, {tile});
  auto xp = septran::partition(x, {tile});
  for (auto [i] : septran::parallel(yp.shape()))
    saxpy_leaf(yp(i), a, xp(i));
}
