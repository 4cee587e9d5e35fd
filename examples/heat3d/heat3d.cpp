//===- heat3d.cpp - heat on a three-dimensional grid: the logic -------------===//
//
// As stencil, with one more dimension: U and a local take turns, and a block of the new
// grid reads a window with a halo of one point from the old one.
//
//===----------------------------------------------------------------------===//
#include "heat3d/heat3d.h"

template <class T> using tensor3 = septran::tensor<T, 3>;

/// One step on a block; `old` has one more point on every side.
[[septran::leaf]]
void heat3d_leaf([[septran::write]] tensor3<float> next, tensor3<const float> old, float alpha) {
  for (int i = 0; i < next.extent(0); ++i)
    for (int j = 0; j < next.extent(1); ++j)
      for (int k = 0; k < next.extent(2); ++k) {
        const float centre = old(i + 1, j + 1, k + 1);
        const float sides = old(i, j + 1, k + 1) + old(i + 2, j + 1, k + 1) + old(i + 1, j, k + 1) +
                            old(i + 1, j + 2, k + 1) + old(i + 1, j + 1, k) +
                            old(i + 1, j + 1, k + 2);
        next(i, j, k) = centre + alpha * (sides - 6 * centre);
      }
}

[[septran::task]]
void heat3d_step([[septran::write]] tensor3<float> next, tensor3<const float> old, float alpha,
                 float boundary) {
  [[septran::tunable]] const int tile_d = 16, tile_h = 16, tile_w = 256;
  auto blocks = septran::partition(next, {tile_d, tile_h, tile_w});
  auto around = septran::windows(old, {tile_d, tile_h, tile_w}, {tile_d, tile_h, tile_w}, {1, 1, 1},
                                 {1, 1, 1}, boundary);
  for (auto [i, j, k] : septran::parallel(blocks.shape()))
    heat3d_leaf(blocks(i, j, k), around(i, j, k), alpha);
}

[[septran::task]]
void heat3d(tensor3<float> U, float alpha, float boundary, int steps) {
  septran::local<float, 3> other(U.extents());
  for (int pair = 0; pair < steps / 2; ++pair) {
    heat3d_step(other, U, alpha, boundary);
    heat3d_step(U, other, alpha, boundary);
  }
  if (steps % 2 != 0) {
    heat3d_step(other, U, alpha, boundary);
    septran::copy(U, other);
  }
}
