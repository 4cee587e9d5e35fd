//===- conv2d.cpp - two-dimensional convolution: the logic ------------------===//
//
// A block of output rows reads a window of input rows: as many, and the kernel's
// halo. Windows read zero outside the image, so no leaf looks at borders.
//
// The families and their members, all on one image:
//
//   conv_tile   Y  = X * W       conv_tile    sums in an accumulator
//                                conv_blocks  by blocks of rows, columns and channels
//   conv        Y += X * W       conv_leaf    the loops
//                                conv_blocked by blocks, also of input channels
//                                conv_gemm    one matrix product per kernel position
//   conv_strided, as conv_tile   conv_strided_tile, conv_strided_blocks
//
//===----------------------------------------------------------------------===//
#include "conv2d/conv2d.h"

#include "conv2d/winograd.h"

#include "common/gemm.h"

/// Y += X * W with stride 1. X has the kernel's extents less one more rows and columns than Y.
[[septran::leaf("conv")]]
void conv_leaf(tensor3<float> Y, tensor3<const float> X, tensor4<const float> W) {
  for (int y = 0; y < Y.extent(0); ++y)
    for (int x = 0; x < Y.extent(1); ++x)
      for (int o = 0; o < Y.extent(2); ++o)
        for (int r = 0; r < W.extent(0); ++r)
          for (int s = 0; s < W.extent(1); ++s)
            for (int c = 0; c < W.extent(2); ++c)
              Y(y, x, o) += X(y + r, x + s, c) * W(r, s, c, o);
}

/// Y += X * W with stride 1, by blocks.
[[septran::task("conv")]]
void conv_blocked(tensor3<float> Y, tensor3<const float> X, tensor4<const float> W) {
  [[septran::tunable]] const int tile_h = 4, tile_w = 16, tile_c = 16, tile_o = 32;
  const int halo_h = int(W.extent(0)) - 1, halo_w = int(W.extent(1)) - 1;
  auto Yp = septran::partition(Y, {tile_h, tile_w, tile_o});
  auto Xw = septran::windows(X, {tile_h + halo_h, tile_w + halo_w, tile_c},
                             {tile_h, tile_w, tile_c}, {0, 0, 0}, {0, 0, 0});
  auto Wp = septran::partition(W, {W.extent(0), W.extent(1), tile_c, tile_o});
  for (auto [i, j, o] : septran::parallel(Yp.shape()))
    for (int c = 0; c < Wp.extent(2); ++c)
      conv_leaf(Yp(i, j, o), Xw(i, j, c), Wp(0, 0, c, o));
}

/// Y += X * W with stride 1: a row of Y is the sum over kernel positions of shifted rows of X, seen
/// as matrices of columns x channels, times the position's matrix of weights.
[[septran::task("conv")]]
void conv_gemm(tensor3<float> Y, tensor3<const float> X, tensor4<const float> W) {
  auto Xw =
      septran::windows(X, {1, Y.extent(1), X.extent(2)}, {1, 1, X.extent(2)}, {0, 0, 0}, {0, 0, 0});
  for (auto [y] : septran::parallel(Y.extent(0)))
    for (int r = 0; r < W.extent(0); ++r)
      for (int s = 0; s < W.extent(1); ++s)
        gemm_blocked(septran::subtensor(Y, y, septran::all, septran::all),
                     septran::subtensor(Xw(y + r, s, 0), 0, septran::all, septran::all),
                     septran::subtensor(W, r, s, septran::all, septran::all));
}

/// Y = X * W with stride 1.
[[septran::task]]
void conv_tile([[septran::write]] tensor3<float> Y, tensor3<const float> X,
               tensor4<const float> W) {
  septran::local<float, 3> acc(Y.extents());
  septran::fill(acc, 0);
  conv_leaf(acc, X, W);
  septran::convert(Y, acc);
}

/// Y = X * W with stride 1, by blocks of Y.
[[septran::task("conv_tile")]]
void conv_blocks([[septran::write]] tensor3<float> Y, tensor3<const float> X,
                 tensor4<const float> W) {
  [[septran::tunable]] const int tile_h = 4, tile_w = 16, tile_o = 32;
  const int halo_h = int(W.extent(0)) - 1, halo_w = int(W.extent(1)) - 1;
  auto Yp = septran::partition(Y, {tile_h, tile_w, tile_o});
  auto Xw = septran::windows(X, {tile_h + halo_h, tile_w + halo_w, X.extent(2)},
                             {tile_h, tile_w, X.extent(2)}, {0, 0, 0}, {0, 0, 0});
  auto Wp = septran::partition(W, {W.extent(0), W.extent(1), W.extent(2), tile_o});
  for (auto [i, j, o] : septran::parallel(Yp.shape()))
    conv_tile(Yp(i, j, o), Xw(i, j, 0), Wp(0, 0, 0, o));
}

/// Y = X * W for images, by blocks of rows and output channels.
[[septran::task]]
void conv_images([[septran::write]] tensor4<float> Y, tensor4<const float> X,
                 tensor4<const float> W) {
  [[septran::tunable]] const int tile_h = 8, tile_o = 64;
  auto Yp = septran::partition(Y, {1, tile_h, Y.extent(2), tile_o});
  auto Xw = septran::windows(X, {1, tile_h, X.extent(2), X.extent(3)},
                             {1, tile_h, X.extent(2), X.extent(3)}, {0, 1, 1, 0}, {0, 1, 1, 0});
  auto Wp = septran::partition(W, {W.extent(0), W.extent(1), W.extent(2), tile_o});
  for (auto [n, i, o] : septran::parallel(Yp.extent(0), Yp.extent(1), Yp.extent(3)))
    conv_blocks(septran::subtensor(Yp(n, i, 0, o), 0, septran::all, septran::all, septran::all),
                septran::subtensor(Xw(n, i, 0, 0), 0, septran::all, septran::all, septran::all),
                Wp(0, 0, 0, o));
}

[[septran::task]]
void conv2d_3x3([[septran::write]] tensor4<float> Y, tensor4<const float> X,
                septran::constant<float, 4> W) {
  conv_images(Y, X, W);
}

/// Y += X * W with any stride.
[[septran::leaf]]
void conv_strided_leaf(tensor3<float> Y, tensor3<const float> X, tensor4<const float> W,
                       int stride) {
  for (int y = 0; y < Y.extent(0); ++y)
    for (int x = 0; x < Y.extent(1); ++x)
      for (int o = 0; o < Y.extent(2); ++o)
        for (int r = 0; r < W.extent(0); ++r)
          for (int s = 0; s < W.extent(1); ++s)
            for (int c = 0; c < W.extent(2); ++c)
              Y(y, x, o) += X(y * stride + r, x * stride + s, c) * W(r, s, c, o);
}

/// Y = X * W with any stride.
[[septran::task("conv_strided")]]
void conv_strided_tile([[septran::write]] tensor3<float> Y, tensor3<const float> X,
                       tensor4<const float> W, int stride) {
  septran::local<float, 3> acc(Y.extents());
  septran::fill(acc, 0);
  conv_strided_leaf(acc, X, W, stride);
  septran::convert(Y, acc);
}

/// Y = X * W with any stride, by blocks of Y.
[[septran::task("conv_strided")]]
void conv_strided_blocks([[septran::write]] tensor3<float> Y, tensor3<const float> X,
                         tensor4<const float> W, int stride) {
  [[septran::tunable]] const int tile_h = 1, tile_w = 16, tile_o = 32;
  const int reach_h = (tile_h - 1) * stride + int(W.extent(0));
  const int reach_w = (tile_w - 1) * stride + int(W.extent(1));
  auto Yp = septran::partition(Y, {tile_h, tile_w, tile_o});
  auto Xw = septran::windows(X, {reach_h, reach_w, X.extent(2)},
                             {tile_h * stride, tile_w * stride, X.extent(2)}, {0, 0, 0},
                             {0, 0, 0});
  auto Wp = septran::partition(W, {W.extent(0), W.extent(1), W.extent(2), tile_o});
  for (auto [i, j, o] : septran::parallel(Yp.shape()))
    conv_strided_tile(Yp(i, j, o), Xw(i, j, 0), Wp(0, 0, 0, o), stride);
}

[[septran::task]]
void conv2d([[septran::write]] tensor4<float> Y, tensor4<const float> X,
            septran::constant<float, 4> W, int stride, int pad) {
  [[septran::tunable]] const int tile_h = 8, tile_o = 64;
  // Output rows i * tile_h and on start at input row i * tile_h * stride - pad.
  const int core = (tile_h - 1) * stride + 1;
  const int high_h = int(W.extent(0)) - 1 - pad, high_w = int(W.extent(1)) - 1 - pad;
  auto Yp = septran::partition(Y, {1, tile_h, Y.extent(2), tile_o});
  auto Xw = septran::windows(X, {1, core, X.extent(2), X.extent(3)},
                             {1, tile_h * stride, X.extent(2), X.extent(3)}, {0, pad, pad, 0},
                             {0, high_h, high_w, 0});
  auto Wp = septran::partition(W, {W.extent(0), W.extent(1), W.extent(2), tile_o});
  for (auto [n, i, o] : septran::parallel(Yp.extent(0), Yp.extent(1), Yp.extent(3)))
    conv_strided_tile(
        septran::subtensor(Yp(n, i, 0, o), 0, septran::all, septran::all, septran::all),
        septran::subtensor(Xw(n, i, 0, 0), 0, septran::all, septran::all, septran::all),
        Wp(0, 0, 0, o), stride);
}

[[septran::task]]
void conv2d_3x3_winograd([[septran::write]] tensor4<float> Y, tensor4<const float> X,
                         septran::constant<float, 4> W) {
  winograd::by_tiles(Y, X, W);
}
