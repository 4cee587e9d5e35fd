//===- rmsnorm.cpp - root-mean-square norm of matrix rows: the logic --------===//
#include "rmsnorm/rmsnorm.h"

#include "common/gemm.h"

#include <cmath>

template <class T> using vector = septran::tensor<T, 1>;

/// Sums the squares of a row, then scales it.
template <class T>
[[septran::leaf]]
void rmsnorm_rows([[septran::write]] matrix<T> Y, matrix<const T> X, vector<const T> weight,
                  float epsilon) {
  for (int i = 0; i < X.extent(0); ++i) {
    float sum = 0;
    for (int j = 0; j < X.extent(1); ++j)
      sum += float(X(i, j)) * float(X(i, j));
    const float scale = 1 / std::sqrt(sum / float(X.extent(1)) + epsilon);
    for (int j = 0; j < X.extent(1); ++j)
      Y(i, j) = T(float(X(i, j)) * scale * float(weight(j)));
  }
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
