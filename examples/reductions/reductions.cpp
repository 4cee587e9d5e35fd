//===- reductions.cpp - sums and the maximum of a matrix: the logic ---------===//
//
// Iterations that own their rows need no more. Columns and the maximum are shared by all
// iterations; the reduce privilege says by which operator.
//
//===----------------------------------------------------------------------===//
#include "reductions/reductions.h"

#include <algorithm>
#include <limits>

template <class T> using vector = septran::tensor<T, 1>;
template <class T> using matrix = septran::tensor<T, 2>;

[[septran::leaf]]
void row_sums_leaf([[septran::write]] vector<float> y, matrix<const float> X) {
  for (int i = 0; i < X.extent(0); ++i) {
    float sum = 0;
    for (int j = 0; j < X.extent(1); ++j)
      sum += X(i, j);
    y(i) = sum;
  }
}

[[septran::task]]
void row_sums([[septran::write]] vector<float> y, matrix<const float> X) {
  [[septran::tunable]] const int tile_m = 16;
  auto yp = septran::partition(y, {tile_m});
  auto Xp = septran::partition(X, {tile_m, X.extent(1)});
  for (auto [i] : septran::parallel(yp.shape()))
    row_sums_leaf(yp(i), Xp(i, 0));
}

[[septran::leaf("column_sums_part")]]
void column_sums_leaf([[septran::reduce("+")]] vector<float> y, matrix<const float> X) {
  for (int i = 0; i < X.extent(0); ++i)
    for (int j = 0; j < y.extent(0); ++j)
      y(j) += X(i, j);
}

/// The same by blocks, along rows: a mapping may hold a block's sums in registers.
[[septran::task("column_sums_part")]]
void column_sums_blocked([[septran::reduce("+")]] vector<float> y, matrix<const float> X) {
  [[septran::tunable]] const int tile_m = 16, tile_n = 128;
  auto yp = septran::partition(y, {tile_n});
  auto Xp = septran::partition(X, {tile_m, tile_n});
  for (auto [i, j] : septran::parallel(Xp.shape()))
    column_sums_leaf(yp(j), Xp(i, j));
}

[[septran::task]]
void column_sums([[septran::write]] vector<float> y, matrix<const float> X) {
  [[septran::tunable]] const int tile_m = 64, tile_n = 512;
  septran::fill(y, 0);
  auto yp = septran::partition(y, {tile_n});
  auto Xp = septran::partition(X, {tile_m, tile_n});
  for (auto [i, j] : septran::parallel(Xp.shape()))
    column_sums_leaf(yp(j), Xp(i, j));
}

[[septran::leaf]]
void maximum_leaf([[septran::reduce("max")]] vector<float> y, matrix<const float> X) {
  for (int i = 0; i < X.extent(0); ++i)
    for (int j = 0; j < X.extent(1); ++j)
      y(0) = std::max(y(0), X(i, j));
}

[[septran::task]]
void maximum([[septran::write]] vector<float> y, matrix<const float> X) {
  [[septran::tunable]] const int tile_m = 16;
  septran::fill(y, -std::numeric_limits<float>::infinity());
  auto Xp = septran::partition(X, {tile_m, X.extent(1)});
  for (auto [i] : septran::parallel(Xp.extent(0)))
    maximum_leaf(y, Xp(i, 0));
}
