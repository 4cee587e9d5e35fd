//===- rmsnorm.cpp - root-mean-square norm of matrix rows: the logic --------===//
#include "rmsnorm/rmsnorm.h"

#include "common/gemm.h"

#include <cmath>

template <class T> using vector = septran::tensor<T, 1>;

/// Sums the squares of a row, then scales it. The inverse of its length is that of all rows: a product by it is
/// not waited for as long as a quotient.
template <class T>
[[septran::leaf]]
void rmsnorm_rows([[septran::write]] matrix<T> Y, matrix<const T> X, vector<const T> weight,
                  float epsilon) {
  for (int i = 0; i < X.extent(0); ++i) {
    float sum = 0;
    for (int j = 0; j < X.extent(1); ++j)
      sum += float(X(i, j)) * float(X(i, j));
    const float scale = 1 / std::sqrt(sum * (1 / float(X.extent(1))) + epsilon);
    for (int j = 0; j < X.extent(1); ++j)
      Y(i, j) = T(float(X(i, j)) * scale * float(weight(j)));
  }
}

/// What each row is to be multiplied by.
template <class T>
[[septran::leaf]]
void root_scales([[septran::write]] vector<float> scale, matrix<const T> X, float epsilon) {
  for (int i = 0; i < X.extent(0); ++i) {
    float sum = 0;
    for (int j = 0; j < X.extent(1); ++j)
      sum += float(X(i, j)) * float(X(i, j));
    scale(i) = 1 / std::sqrt(sum * (1 / float(X.extent(1))) + epsilon);
  }
}

/// The rows of X times their scales, and times a weight for each column.
template <class T>
[[septran::leaf]]
void scale_rows([[septran::write]] matrix<T> Y, matrix<const T> X, vector<const float> scale,
                vector<const T> weight) {
  for (int i = 0; i < X.extent(0); ++i) {
    const float factor = scale(i);
    for (int j = 0; j < X.extent(1); ++j)
      Y(i, j) = T(float(X(i, j)) * factor * float(weight(j)));
  }
}

/// All rows are summed before the first is scaled: while the root of one is computed, the next is read.
template <class T>
[[septran::task("rmsnorm_rows")]]
void rmsnorm_together([[septran::write]] matrix<T> Y, matrix<const T> X, vector<const T> weight,
                      float epsilon) {
  septran::local<float, 1> scale(X.extent(0));
  root_scales(scale, X, epsilon);
  scale_rows(Y, X, scale, weight);
}

/// Blocks of whole rows.
template <class T>
[[septran::task]]
void rmsnorm_blocks([[septran::write]] matrix<T> Y, matrix<const T> X, vector<const T> weight,
                    float epsilon) {
  [[septran::tunable]] const int tile_m = 16;
  auto Yp = septran::partition(Y, {tile_m, Y.extent(1)});
  auto Xp = septran::partition(X, {tile_m, X.extent(1)});
  for (auto [i] : septran::parallel(Yp.extent(0)))
    rmsnorm_rows(Yp(i, 0), Xp(i, 0), weight, epsilon);
}

[[septran::task]]
void rmsnorm([[septran::write]] matrix<float> Y, matrix<const float> X, vector<const float> weight,
             float epsilon) {
  rmsnorm_blocks(Y, X, weight, epsilon);
}

[[septran::task]]
void rmsnorm_bf16([[septran::write]] matrix<septran::bfloat16> Y,
                  matrix<const septran::bfloat16> X, vector<const septran::bfloat16> weight,
                  float epsilon) {
  rmsnorm_blocks(Y, X, weight, epsilon);
}
