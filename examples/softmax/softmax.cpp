//===- softmax.cpp - softmax of matrix rows: the logic ----------------------===//
#include "softmax/softmax.h"

#include "common/gemm.h"

#include <algorithm>
#include <cmath>
#include <limits>

template <class T> using vector = septran::tensor<T, 1>;

/// Three passes over each row: maximum, exponentials and their sum, division.
template <class T>
[[septran::leaf]]
void softmax_rows([[septran::write]] matrix<T> Y, matrix<const T> X) {
  using S = accumulator_t<T>;
  for (int i = 0; i < X.extent(0); ++i) {
    S top = -std::numeric_limits<S>::infinity();
    for (int j = 0; j < X.extent(1); ++j)
      top = std::max(top, S(X(i, j)));
    S sum = 0;
    for (int j = 0; j < X.extent(1); ++j)
      sum += std::exp(S(X(i, j)) - top);
    for (int j = 0; j < X.extent(1); ++j)
      Y(i, j) = T(std::exp(S(X(i, j)) - top) / sum);
  }
}

/// The exponentials of a row less its maximum, and what they are to be multiplied by for a sum of 1.
template <class S, class T>
[[septran::leaf]]
void exponentials([[septran::write]] matrix<S> E, [[septran::write]] vector<S> scale,
                  matrix<const T> X) {
  for (int i = 0; i < X.extent(0); ++i) {
    S top = -std::numeric_limits<S>::infinity();
    for (int j = 0; j < X.extent(1); ++j)
      top = std::max(top, S(X(i, j)));
    S sum = 0;
    for (int j = 0; j < X.extent(1); ++j) {
      const S power = std::exp(S(X(i, j)) - top);
      E(i, j) = power;
      sum += power;
    }
    scale(i) = 1 / sum;
  }
}

/// Y = scale E by rows.
template <class S, class T>
[[septran::leaf]]
void scale_exponentials([[septran::write]] matrix<T> Y, matrix<const S> E, vector<const S> scale) {
  for (int i = 0; i < Y.extent(0); ++i) {
    const S factor = scale(i);
    for (int j = 0; j < Y.extent(1); ++j)
      Y(i, j) = T(E(i, j) * factor);
  }
}

/// Keeps the exponentials of some rows at a time, in the type that they are summed in.
template <class T>
[[septran::task("softmax_rows")]]
void softmax_kept([[septran::write]] matrix<T> Y, matrix<const T> X) {
  using S = accumulator_t<T>;
  [[septran::tunable]] const int tile_m = 1;
  auto Yp = septran::partition(Y, {tile_m, Y.extent(1)});
  auto Xp = septran::partition(X, {tile_m, X.extent(1)});
  for (auto [i] : septran::parallel(Yp.extent(0))) {
    septran::local<S, 2> E(Xp(i, 0).extents());
    septran::local<S, 1> scale(Xp(i, 0).extent(0));
    exponentials(E, scale, Xp(i, 0));
    scale_exponentials(Yp(i, 0), E, scale);
  }
}

/// By blocks of rows.
template <class T>
[[septran::task]]
void softmax_blocks([[septran::write]] matrix<T> Y, matrix<const T> X) {
  [[septran::tunable]] const int tile_m = 16;
  auto Yp = septran::partition(Y, {tile_m, Y.extent(1)});
  auto Xp = septran::partition(X, {tile_m, X.extent(1)});
  for (auto [i] : septran::parallel(Yp.extent(0)))
    softmax_rows(Yp(i, 0), Xp(i, 0));
}

[[septran::task]]
void softmax([[septran::write]] matrix<float> Y, matrix<const float> X) {
  softmax_blocks(Y, X);
}

[[septran::task]]
void softmax_f64([[septran::write]] matrix<double> Y, matrix<const double> X) {
  softmax_blocks(Y, X);
}

[[septran::task]]
void softmax_f16([[septran::write]] matrix<septran::float16> Y, matrix<const septran::float16> X) {
  softmax_blocks(Y, X);
}

[[septran::task]]
void softmax_bf16([[septran::write]] matrix<septran::bfloat16> Y,
                  matrix<const septran::bfloat16> X) {
  softmax_blocks(Y, X);
}
