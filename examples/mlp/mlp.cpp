//===- mlp.cpp - layers of a transformer's feed-forward part: the logic -----===//
//
// What follows the products is applied to the tile in which they are summed. Where the
// mapping holds the tile in registers, the activation happens there, and Y is written once.
//
//   linear   Y = gelu(X W + bias)    linear_tile     one tile
//                                    linear_blocks   by tiles of Y
//   gated    Y = silu(X Wg) * X Wu   gated_tile, gated_blocks
//
//===----------------------------------------------------------------------===//
#include "mlp/mlp.h"

#include "common/activations.h"
#include "common/gemm.h"

template <class T> using vector = septran::tensor<T, 1>;

/// Y = gelu(sums + bias).
[[septran::leaf]]
void bias_gelu([[septran::write]] matrix<float> Y, matrix<const float> sums,
               vector<const float> bias) {
  for (int i = 0; i < Y.extent(0); ++i)
    for (int j = 0; j < Y.extent(1); ++j)
      Y(i, j) = activate<activation::gelu_tanh>(sums(i, j) + bias(j));
}

[[septran::task("linear")]]
void linear_tile([[septran::write]] matrix<float> Y, matrix<const float> X, matrix<const float> W,
                 vector<const float> bias) {
  septran::local<float, 2> sums(Y.extents());
  septran::fill(sums, 0);
  gemm_blocked(sums, X, W);
  bias_gelu(Y, sums, bias);
}

[[septran::task("linear")]]
void linear_blocks([[septran::write]] matrix<float> Y, matrix<const float> X, matrix<const float> W,
                   vector<const float> bias) {
  [[septran::tunable]] const int tile_m = 128, tile_n = 128;
  auto Yp = septran::partition(Y, {tile_m, tile_n});
  auto Xp = septran::partition(X, {tile_m, X.extent(1)});
  auto Wp = septran::partition(W, {W.extent(0), tile_n});
  auto Bp = septran::partition(bias, {tile_n});
  for (auto [i, j] : septran::parallel(Yp.shape()))
    linear_tile(Yp(i, j), Xp(i, 0), Wp(0, j), Bp(j));
}

[[septran::task]]
void linear_gelu([[septran::write]] matrix<float> Y, matrix<const float> X,
                 septran::constant<float, 2> W, vector<const float> bias) {
  linear_blocks(Y, X, W, bias);
}

/// G += X Wg and U += X Wu: every element of X is read once for both.
[[septran::leaf]]
void dual_gemm(matrix<float> G, matrix<float> U, matrix<const float> X, matrix<const float> Wg,
               matrix<const float> Wu) {
  for (int i = 0; i < G.extent(0); ++i)
    for (int j = 0; j < G.extent(1); ++j)
      for (int k = 0; k < X.extent(1); ++k) {
        G(i, j) += X(i, k) * Wg(k, j);
        U(i, j) += X(i, k) * Wu(k, j);
      }
}

/// Y = silu(G) * U.
[[septran::leaf]]
void gate([[septran::write]] matrix<float> Y, matrix<const float> G, matrix<const float> U) {
  for (int i = 0; i < Y.extent(0); ++i)
    for (int j = 0; j < Y.extent(1); ++j)
      Y(i, j) = activate<activation::silu>(G(i, j)) * U(i, j);
}

[[septran::task("gated")]]
void gated_tile([[septran::write]] matrix<float> Y, matrix<const float> X, matrix<const float> Wg,
                matrix<const float> Wu) {
  septran::local<float, 2> G(Y.extents()), U(Y.extents());
  septran::fill(G, 0);
  septran::fill(U, 0);
  dual_gemm(G, U, X, Wg, Wu);
  gate(Y, G, U);
}

[[septran::task("gated")]]
void gated_blocks([[septran::write]] matrix<float> Y, matrix<const float> X, matrix<const float> Wg,
                  matrix<const float> Wu) {
  [[septran::tunable]] const int tile_m = 128, tile_n = 128;
  auto Yp = septran::partition(Y, {tile_m, tile_n});
  auto Xp = septran::partition(X, {tile_m, X.extent(1)});
  auto Gp = septran::partition(Wg, {Wg.extent(0), tile_n});
  auto Up = septran::partition(Wu, {Wu.extent(0), tile_n});
  for (auto [i, j] : septran::parallel(Yp.shape()))
    gated_tile(Yp(i, j), Xp(i, 0), Gp(0, j), Up(0, j));
}

[[septran::task]]
void swiglu([[septran::write]] matrix<float> Y, matrix<const float> X,
            septran::constant<float, 2> Wg, septran::constant<float, 2> Wu) {
  gated_blocks(Y, X, Wg, Wu);
}
