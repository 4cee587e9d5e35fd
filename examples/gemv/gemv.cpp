//===- gemv.cpp - matrix times vector: the logic ----------------------------===//
//
//   gemv_sums  y += A x   gemv_leaf     the loops
//                         gemv_blocked  by blocks of rows and columns
//   gemv_rows  y  = A x   gemv_tile     sums in an accumulator
//                         gemv_rows     by blocks of rows
//
// Both entry points launch the same tasks. One of them hands over the transposed view, so
// that lanes and blocks that suit it are the mapping's choice.
//
//===----------------------------------------------------------------------===//
#include "gemv/gemv.h"

template <class T> using vector = septran::tensor<T, 1>;
template <class T> using matrix = septran::tensor<T, 2>;

/// y += A x.
[[septran::leaf("gemv_sums")]]
void gemv_leaf(vector<float> y, matrix<const float> A, vector<const float> x) {
  for (int i = 0; i < y.extent(0); ++i)
    for (int j = 0; j < x.extent(0); ++j)
      y(i) += A(i, j) * x(j);
}

/// y += A x, by blocks.
[[septran::task("gemv_sums")]]
void gemv_blocked(vector<float> y, matrix<const float> A, vector<const float> x) {
  [[septran::tunable]] const int tile_m = 64, tile_n = 1024;
  auto yp = septran::partition(y, {tile_m});
  auto Ap = septran::partition(A, {tile_m, tile_n});
  auto xp = septran::partition(x, {tile_n});
  for (auto [i] : septran::parallel(yp.shape()))
    for (int j = 0; j < xp.extent(0); ++j)
      gemv_leaf(yp(i), Ap(i, j), xp(j));
}

/// y = A x.
[[septran::task("gemv_rows")]]
void gemv_tile([[septran::write]] vector<float> y, matrix<const float> A, vector<const float> x) {
  septran::local<float, 1> sums(y.extents());
  septran::fill(sums, 0);
  gemv_blocked(sums, A, x);
  septran::copy(y, sums);
}

/// y = A x, by blocks of rows.
[[septran::task("gemv_rows")]]
void gemv_rows([[septran::write]] vector<float> y, matrix<const float> A, vector<const float> x) {
  [[septran::tunable]] const int tile_m = 64;
  auto yp = septran::partition(y, {tile_m});
  auto Ap = septran::partition(A, {tile_m, A.extent(1)});
  for (auto [i] : septran::parallel(yp.shape()))
    gemv_tile(yp(i), Ap(i, 0), x);
}

[[septran::task]]
void gemv([[septran::write]] vector<float> y, matrix<const float> A, vector<const float> x) {
  gemv_rows(y, A, x);
}

[[septran::task]]
void gemv_t([[septran::write]] vector<float> y, matrix<const float> A, vector<const float> x) {
  gemv_rows(y, septran::transpose(A), x);
}
