//===- layernorm.cpp - matrix rows to mean 0 and variance 1: the logic ------===//
#include "layernorm/layernorm.h"

#include "common/gemm.h"

#include <cmath>

template <class T> using vector = septran::tensor<T, 1>;

/// Three passes over a row: its mean, its variance, and the result. The differences from the mean
/// are squared, not the elements: those may be large where the differences are small. The inverse of a
/// row's length is that of all rows: a product by it is not waited for as long as a quotient.
template <class T>
[[septran::leaf]]
void layernorm_rows([[septran::write]] matrix<T> Y, matrix<const T> X, vector<const T> weight,
                    vector<const T> bias, float epsilon) {
  for (int i = 0; i < X.extent(0); ++i) {
    float sum = 0;
    for (int j = 0; j < X.extent(1); ++j)
      sum += float(X(i, j));
    const float mean = sum * (1 / float(X.extent(1)));
    float squares = 0;
    for (int j = 0; j < X.extent(1); ++j) {
      const float difference = float(X(i, j)) - mean;
      squares += difference * difference;
    }
    const float scale = 1 / std::sqrt(squares * (1 / float(X.extent(1))) + epsilon);
    for (int j = 0; j < X.extent(1); ++j)
      Y(i, j) = T((float(X(i, j)) - mean) * scale * float(weight(j)) + float(bias(j)));
  }
}

/// Blocks of whole rows.
template <class T>
[[septran::task]]
void layernorm_blocks([[septran::write]] matrix<T> Y, matrix<const T> X, vector<const T> weight,
                      vector<const T> bias, float epsilon) {
  [[septran::tunable]] const int tile_m = 16;
  auto Yp = septran::partition(Y, {tile_m, Y.extent(1)});
  auto Xp = septran::partition(X, {tile_m, X.extent(1)});
  for (auto [i] : septran::parallel(Yp.extent(0)))
    layernorm_rows(Yp(i, 0), Xp(i, 0), weight, bias, epsilon);
}

[[septran::task]]
void layernorm([[septran::write]] matrix<float> Y, matrix<const float> X,
               vector<const float> weight, vector<const float> bias, float epsilon) {
  layernorm_blocks(Y, X, weight, bias, epsilon);
}

[[septran::task]]
void layernorm_bf16([[septran::write]] matrix<septran::bfloat16> Y,
                    matrix<const septran::bfloat16> X, vector<const septran::bfloat16> weight,
                    vector<const septran::bfloat16> bias, float epsilon) {
  layernorm_blocks(Y, X, weight, bias, epsilon);
}
