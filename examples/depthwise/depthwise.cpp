//===- depthwise.cpp - convolution of every channel by itself: the logic ----===//
//
// A block of output rows and channels reads a window of input rows, padded at the borders.
// Within it, tiles of a row are summed over all kernel positions before they are written.
//
//===----------------------------------------------------------------------===//
#include "depthwise/depthwise.h"

template <class T> using tensor3 = septran::tensor<T, 3>;
template <class T> using tensor4 = septran::tensor<T, 4>;

/// Y += X * W. X has the kernel's extents less one more rows and columns than Y.
[[septran::leaf]]
void depthwise_leaf(tensor3<float> Y, tensor3<const float> X, tensor3<const float> W) {
  for (int y = 0; y < Y.extent(0); ++y)
    for (int x = 0; x < Y.extent(1); ++x)
      for (int c = 0; c < Y.extent(2); ++c)
        for (int r = 0; r < W.extent(0); ++r)
          for (int s = 0; s < W.extent(1); ++s)
            Y(y, x, c) += X(y + r, x + s, c) * W(r, s, c);
}

/// Y = X * W.
[[septran::task]]
void depthwise_tile([[septran::write]] tensor3<float> Y, tensor3<const float> X,
                    tensor3<const float> W) {
  septran::local<float, 3> sums(Y.extents());
  septran::fill(sums, 0);
  depthwise_leaf(sums, X, W);
  septran::copy(Y, sums);
}

/// Y = X * W, by blocks of Y.
[[septran::task("depthwise_tile")]]
void depthwise_blocks([[septran::write]] tensor3<float> Y, tensor3<const float> X,
                      tensor3<const float> W) {
  [[septran::tunable]] const int tile_h = 1, tile_w = 8, tile_c = 32;
  const int halo_h = int(W.extent(0)) - 1, halo_w = int(W.extent(1)) - 1;
  auto Yp = septran::partition(Y, {tile_h, tile_w, tile_c});
  auto Xw = septran::windows(X, {tile_h + halo_h, tile_w + halo_w, tile_c},
                             {tile_h, tile_w, tile_c}, {0, 0, 0}, {0, 0, 0});
  auto Wp = septran::partition(W, {W.extent(0), W.extent(1), tile_c});
  for (auto [i, j, c] : septran::parallel(Yp.shape()))
    depthwise_tile(Yp(i, j, c), Xw(i, j, c), Wp(0, 0, c));
}

[[septran::task]]
void depthwise([[septran::write]] tensor4<float> Y, tensor4<const float> X, tensor3<const float> W,
               int pad) {
  [[septran::tunable]] const int tile_h = 8, tile_c = 64;
  const int high_h = int(W.extent(0)) - 1 - pad, high_w = int(W.extent(1)) - 1 - pad;
  auto Yp = septran::partition(Y, {1, tile_h, Y.extent(2), tile_c});
  auto Xw = septran::windows(X, {1, tile_h, X.extent(2), tile_c}, {1, tile_h, X.extent(2), tile_c},
                             {0, pad, pad, 0}, {0, high_h, high_w, 0});
  auto Wp = septran::partition(W, {W.extent(0), W.extent(1), tile_c});
  for (auto [n, i, c] : septran::parallel(Yp.extent(0), Yp.extent(1), Yp.extent(3)))
    depthwise_blocks(
        septran::subtensor(Yp(n, i, 0, c), 0, septran::all, septran::all, septran::all),
        septran::subtensor(Xw(n, i, 0, c), 0, septran::all, septran::all, septran::all),
        Wp(0, 0, c));
}
