//===- dot.cpp - scalar product: the logic ------------------------------------===//
//
// All iterations of the parallel loop add to the same element. The reduce privilege
// allows that: iterations that only add may run in any order and at the same time.
//
//===----------------------------------------------------------------------===//
#include "dot/dot.h"

template <class T> using vector = septran::tensor<T, 1>;

[[septran::leaf]]
void dot_leaf([[septran::reduce("+")]] vector<double> sum, vector<const float> x,
              vector<const float> y) {
  for (int i = 0; i < x.extent(0); ++i)
    sum(0) += double(x(i)) * double(y(i));
}

[[septran::task]]
void dot([[septran::write]] vector<float> result, vector<const float> x, vector<const float> y) {
  [[septran::tunable]] const int tile = 16384;
  septran::local<double, 1> sum(1);
  septran::fill(sum, 0);
  auto xp = septran::partition(x, {tile});
  auto yp = septran::partition(y, {tile});
  for (auto [i] : septran::parallel(xp.shape()))
    dot_leaf(sum, xp(i), yp(i));
  septran::convert(result, sum);
}
