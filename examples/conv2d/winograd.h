//===- winograd.h - 3 x 3 convolution by Winograd's method -------*- C++ -*-===//
//
// F(4 x 4, 3 x 3): 4 x 4 results from 6 x 6 pixels with 36 multiplications for each pair of
// channels, where the definition takes 144 (S. Winograd, Arithmetic Complexity of Computations,
// 1980; A. Lavin and S. Gray, Fast Algorithms for Convolutional Neural Networks, 2016).
//
// Along one dimension, four results are A' ((G w) * (B' x)) for three weights w and six pixels x,
// with * element by element: polynomials are multiplied by their values at six points, which are 0,
// +-p, +-q and infinity. In two dimensions each transform is one of columns, then one of rows. What
// is multiplied between them are matrices, for each of the 6 x 6 positions one of tiles x channels
// by one of channels x output channels.
//
// p and q decide how large rounding errors are. These are near the best (B. Barabasz et al., Error
// Analysis and Improving the Accuracy of Winograd Convolution for Deep Neural Networks, 2020), and
// so short in binary that their products are exact.
//
// A family, with two orders of the same steps:
//
//   winograd   Y = X * W    by_tiles    all weights are transformed, then blocks of tiles
//                           by_outputs  all pixels are transformed, then blocks of output channels
//
//===----------------------------------------------------------------------===//
#pragma once

#include "common/gemm.h"

template <class T> using tensor2 = septran::tensor<T, 2>;
template <class T> using tensor3 = septran::tensor<T, 3>;
template <class T> using tensor4 = septran::tensor<T, 4>;
template <class T> using tensor6 = septran::tensor<T, 6>;

namespace winograd {

constexpr float p = 0.625f, q = 1.5f;
constexpr float pp = p * p, qq = q * q;

/// Y = G W: three weights become six values.
[[septran::leaf]]
void transform_weights([[septran::write]] tensor3<float> Y, tensor3<const float> W) {
  for (int c = 0; c < W.extent(1); ++c)
    for (int o = 0; o < W.extent(2); ++o) {
      const float w0 = W(0, c, o), w1 = W(1, c, o), w2 = W(2, c, o);
      const float even_p = (w0 + pp * w2) * (1 / (2 * pp * (pp - qq)));
      const float even_q = (w0 + qq * w2) * (1 / (2 * qq * (qq - pp)));
      const float odd_p = w1 * (1 / (2 * p * (pp - qq)));
      const float odd_q = w1 * (1 / (2 * q * (qq - pp)));
      Y(0, c, o) = w0 * (1 / (pp * qq));
      Y(1, c, o) = even_p + odd_p;
      Y(2, c, o) = even_p - odd_p;
      Y(3, c, o) = even_q + odd_q;
      Y(4, c, o) = even_q - odd_q;
      Y(5, c, o) = w2;
    }
}

/// Y = B' X for a line of tiles: six pixels, four further on for each tile, become six values.
[[septran::leaf]]
void transform_pixels([[septran::write]] tensor3<float> Y, tensor2<const float> X) {
  for (int t = 0; t < Y.extent(1); ++t)
    for (int c = 0; c < Y.extent(2); ++c) {
      const float x0 = X(4 * t, c), x1 = X(4 * t + 1, c), x2 = X(4 * t + 2, c);
      const float x3 = X(4 * t + 3, c), x4 = X(4 * t + 4, c), x5 = X(4 * t + 5, c);
      const float even_p = x4 - qq * x2, odd_p = p * (x3 - qq * x1);
      const float even_q = x4 - pp * x2, odd_q = q * (x3 - pp * x1);
      Y(0, t, c) = pp * qq * x0 - (pp + qq) * x2 + x4;
      Y(1, t, c) = even_p + odd_p;
      Y(2, t, c) = even_p - odd_p;
      Y(3, t, c) = even_q + odd_q;
      Y(4, t, c) = even_q - odd_q;
      Y(5, t, c) = pp * qq * x1 - (pp + qq) * x3 + x5;
    }
}

/// Y = A' M for a line of tiles: six values become four results of each tile. The line may end
/// within the last one.
[[septran::leaf]]
void transform_back([[septran::write]] tensor2<float> Y, tensor3<const float> M) {
  for (int t = 0; t < M.extent(1); ++t)
    for (int o = 0; o < M.extent(2); ++o) {
      const float sum_p = M(1, t, o) + M(2, t, o), difference_p = M(1, t, o) - M(2, t, o);
      const float sum_q = M(3, t, o) + M(4, t, o), difference_q = M(3, t, o) - M(4, t, o);
      Y(4 * t, o) = M(0, t, o) + sum_p + sum_q;
      if (4 * t + 1 < Y.extent(0))
        Y(4 * t + 1, o) = p * difference_p + q * difference_q;
      if (4 * t + 2 < Y.extent(0))
        Y(4 * t + 2, o) = pp * sum_p + qq * sum_q;
      if (4 * t + 3 < Y.extent(0))
        Y(4 * t + 3, o) = pp * p * difference_p + qq * q * difference_q + M(5, t, o);
    }
}

/// U = G W G' for a block of channels.
[[septran::task]]
void weights_tile([[septran::write]] tensor4<float> U, tensor4<const float> W) {
  septran::local<float, 4> columns({6, 3, W.extent(2), W.extent(3)});
  for (int s = 0; s < 3; ++s)
    transform_weights(septran::subtensor(columns, septran::all, s, septran::all, septran::all),
                      septran::subtensor(W, septran::all, s, septran::all, septran::all));
  for (int r = 0; r < 6; ++r)
    transform_weights(septran::subtensor(U, r, septran::all, septran::all, septran::all),
                      septran::subtensor(columns, r, septran::all, septran::all, septran::all));
}

/// U = G W G', by blocks of channels.
[[septran::task]]
void weights([[septran::write]] tensor4<float> U, tensor4<const float> W) {
  [[septran::tunable]] const int tile_c = 4, tile_o = 64;
  auto Up = septran::partition(U, {6, 6, tile_c, tile_o});
  auto Wp = septran::partition(W, {3, 3, tile_c, tile_o});
  for (auto [c, o] : septran::parallel(Up.extent(2), Up.extent(3)))
    weights_tile(Up(0, 0, c, o), Wp(0, 0, c, o));
}

/// V = B' X B for tiles of one image: V has 6 x 6 values x rows and columns of tiles x channels.
[[septran::task]]
void pixels_tile([[septran::write]] septran::tensor<float, 5> V, tensor3<const float> X) {
  septran::local<float, 4> columns({6, V.extent(2), X.extent(1), X.extent(2)});
  for (int x = 0; x < X.extent(1); ++x)
    transform_pixels(septran::subtensor(columns, septran::all, septran::all, x, septran::all),
                     septran::subtensor(X, septran::all, x, septran::all));
  for (int r = 0; r < 6; ++r)
    for (int i = 0; i < V.extent(2); ++i)
      transform_pixels(septran::subtensor(V, r, septran::all, i, septran::all, septran::all),
                       septran::subtensor(columns, r, i, septran::all, septran::all));
}

/// Y = A' M A for tiles of one image.
[[septran::task]]
void results_tile([[septran::write]] tensor3<float> Y, septran::tensor<const float, 5> M) {
  septran::local<float, 4> columns({Y.extent(0), 6, M.extent(3), M.extent(4)});
  for (int s = 0; s < 6; ++s)
    for (int j = 0; j < M.extent(3); ++j)
      transform_back(septran::subtensor(columns, septran::all, s, j, septran::all),
                     septran::subtensor(M, septran::all, s, septran::all, j, septran::all));
  for (int y = 0; y < Y.extent(0); ++y)
    transform_back(septran::subtensor(Y, y, septran::all, septran::all),
                   septran::subtensor(columns, y, septran::all, septran::all, septran::all));
}

/// V = B' X B for tiles of images, by groups of tiles and channels.
[[septran::task]]
void pixels([[septran::write]] tensor6<float> V, tensor4<const float> X) {
  [[septran::tunable]] const int tiles_h = 1, tiles_w = 4, tile_c = 16;
  auto Vp = septran::partition(V, {6, 6, 1, tiles_h, tiles_w, tile_c});
  auto Xw = septran::windows(X, {1, 4 * (tiles_h - 1) + 1, 4 * (tiles_w - 1) + 1, tile_c},
                             {1, 4 * tiles_h, 4 * tiles_w, tile_c}, {0, 0, 0, 0}, {0, 5, 5, 0});
  for (auto [n, i, j, c] :
       septran::parallel(Vp.extent(2), Vp.extent(3), Vp.extent(4), Vp.extent(5)))
    pixels_tile(septran::subtensor(Vp(0, 0, n, i, j, c), septran::all, septran::all, 0,
                                   septran::all, septran::all, septran::all),
                septran::subtensor(Xw(n, i, j, c), 0, septran::all, septran::all, septran::all));
}

/// Y = A' M A for tiles of images, by groups of tiles and channels.
[[septran::task]]
void results([[septran::write]] tensor4<float> Y, tensor6<const float> M) {
  [[septran::tunable]] const int tiles_h = 1, tiles_w = 4, tile_o = 16;
  auto Yp = septran::partition(Y, {1, 4 * tiles_h, 4 * tiles_w, tile_o});
  auto Mp = septran::partition(M, {6, 6, 1, tiles_h, tiles_w, tile_o});
  for (auto [n, i, j, o] : septran::parallel(Yp.shape()))
    results_tile(septran::subtensor(Yp(n, i, j, o), 0, septran::all, septran::all, septran::all),
                 septran::subtensor(Mp(0, 0, n, i, j, o), septran::all, septran::all, 0,
                                    septran::all, septran::all, septran::all));
}

/// The results of some tiles and output channels, from the values of their pixels.
[[septran::task]]
void outputs([[septran::write]] tensor4<float> Y, tensor6<const float> V, tensor4<const float> U) {
  const int n = int(V.extent(2)), h = int(V.extent(3)), w = int(V.extent(4));
  const int C = int(V.extent(5)), O = int(Y.extent(3));
  septran::local<float, 6> M({6, 6, n, h, w, O});
  auto Mm = septran::reshape(M, {6, 6, n * h * w, O});
  auto Vm = septran::reshape(V, {6, 6, n * h * w, C});
  for (int r = 0; r < 6; ++r)
    for (int s = 0; s < 6; ++s)
      matmul_blocks(septran::subtensor(Mm, r, s, septran::all, septran::all),
                    septran::subtensor(Vm, r, s, septran::all, septran::all),
                    septran::subtensor(U, r, s, septran::all, septran::all));
  results(Y, M);
}

/// The results of some tiles. Their pixels are transformed once, for all output channels.
[[septran::task]]
void tiles([[septran::write]] tensor4<float> Y, tensor4<const float> X, tensor4<const float> U) {
  [[septran::tunable]] const int tile_o = 64;
  const int h = (int(Y.extent(1)) + 3) / 4, w = (int(Y.extent(2)) + 3) / 4;
  septran::local<float, 6> V({6, 6, Y.extent(0), h, w, X.extent(3)});
  pixels(V, X);
  auto Yp = septran::partition(Y, {Y.extent(0), Y.extent(1), Y.extent(2), tile_o});
  auto Up = septran::partition(U, {6, 6, U.extent(2), tile_o});
  for (int o = 0; o < Yp.extent(3); ++o)
    outputs(Yp(0, 0, 0, o), V, Up(0, 0, 0, o));
}

/// Y = X * W for a kernel of 3 x 3, by blocks of tiles: all weights are transformed first. For many
/// tiles.
[[septran::task("winograd")]]
void by_tiles([[septran::write]] tensor4<float> Y, tensor4<const float> X, tensor4<const float> W) {
  [[septran::tunable]] const int tile_n = 1, tiles_h = 2, tiles_w = 16, tile_o = 256;
  septran::local<float, 4> U({6, 6, W.extent(2), W.extent(3)});
  weights(U, W);
  auto Yp = septran::partition(Y, {tile_n, 4 * tiles_h, 4 * tiles_w, tile_o});
  // All that the tiles read, which may reach beyond the image, where there are zeros.
  auto Xw =
      septran::windows(X, {tile_n, 4 * (tiles_h - 1) + 1, 4 * (tiles_w - 1) + 1, X.extent(3)},
                       {tile_n, 4 * tiles_h, 4 * tiles_w, X.extent(3)}, {0, 1, 1, 0}, {0, 4, 4, 0});
  auto Up = septran::partition(U, {6, 6, U.extent(2), tile_o});
  for (auto [n, i, j, o] : septran::parallel(Yp.shape()))
    tiles(Yp(n, i, j, o), Xw(n, i, j, 0), Up(0, 0, 0, o));
}

/// What some channels add to the values of some output channels. Their weights are transformed
/// where they are used, and nowhere else.
[[septran::task]]
void add_channels(tensor3<float> M, tensor3<const float> V, tensor4<const float> W) {
  septran::local<float, 4> U({6, 6, W.extent(2), W.extent(3)});
  weights(U, W);
  auto Um = septran::reshape(U, {36, W.extent(2), W.extent(3)});
  for (int p = 0; p < 36; ++p)
    gemm_blocked(septran::subtensor(M, p, septran::all, septran::all),
                 septran::subtensor(V, p, septran::all, septran::all),
                 septran::subtensor(Um, p, septran::all, septran::all));
}

/// Some output channels of all tiles, by blocks of channels.
[[septran::task]]
void output_block([[septran::write]] tensor4<float> Y, tensor6<const float> V,
                  tensor4<const float> W) {
  [[septran::tunable]] const int tile_c = 64;
  const int n = int(V.extent(2)), h = int(V.extent(3)), w = int(V.extent(4));
  const int C = int(V.extent(5)), O = int(Y.extent(3));
  septran::local<float, 6> M({6, 6, n, h, w, O});
  auto Mm = septran::reshape(M, {36, n * h * w, O});
  auto Vp = septran::partition(septran::reshape(V, {36, n * h * w, C}), {36, n * h * w, tile_c});
  auto Wp = septran::partition(W, {3, 3, tile_c, O});
  septran::fill(Mm, 0);
  for (int c = 0; c < Wp.extent(2); ++c)
    add_channels(Mm, Vp(0, 0, c), Wp(0, 0, c, 0));
  results(Y, M);
}

/// The same by blocks of output channels: all pixels are transformed first, and weights where they
/// are used. For few tiles, whose weights are the larger part.
[[septran::task("winograd")]]
void by_outputs([[septran::write]] tensor4<float> Y, tensor4<const float> X,
                tensor4<const float> W) {
  [[septran::tunable]] const int tile_o = 16;
  const int h = (int(Y.extent(1)) + 3) / 4, w = (int(Y.extent(2)) + 3) / 4;
  septran::local<float, 6> V({6, 6, X.extent(0), h, w, X.extent(3)});
  auto Xw = septran::windows(X, {X.extent(0), X.extent(1), X.extent(2), X.extent(3)},
                             {X.extent(0), X.extent(1), X.extent(2), X.extent(3)}, {0, 1, 1, 0},
                             {0, 4, 4, 0});
  pixels(V, Xw(0, 0, 0, 0));
  auto Yp = septran::partition(Y, {Y.extent(0), Y.extent(1), Y.extent(2), tile_o});
  auto Wp = septran::partition(W, {3, 3, W.extent(2), tile_o});
  for (auto [o] : septran::parallel(Yp.extent(3)))
    output_block(Yp(0, 0, 0, o), V, Wp(0, 0, 0, o));
}

} // namespace winograd
