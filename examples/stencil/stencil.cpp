//===- stencil.cpp - heat on a two-dimensional grid: the logic --------------===//
//
// Two buffers take turns, U and a local of the same extents. A step cuts the new
// grid into tiles; each tile reads a window with a halo of one point from the old
// grid, and the boundary's temperature beyond its edge.
//
// Each number of neighbours is a chain of its own: entry, step, leaf.
//
//===----------------------------------------------------------------------===//
#include "stencil/stencil.h"

template <class T> using matrix = septran::tensor<T, 2>;

/// One step on a tile; `old` has one more point on every side.
[[septran::leaf]]
void heat5_leaf([[septran::write]] matrix<float> next, matrix<const float> old, float alpha) {
  for (int i = 0; i < next.extent(0); ++i)
    for (int j = 0; j < next.extent(1); ++j) {
      const float centre = old(i + 1, j + 1);
      const float sides = old(i, j + 1) + old(i + 2, j + 1) + old(i + 1, j) + old(i + 1, j + 2);
      next(i, j) = centre + alpha * (sides - 4 * centre);
    }
}

/// As heat5_leaf, with the four diagonal neighbours.
[[septran::leaf]]
void heat9_leaf([[septran::write]] matrix<float> next, matrix<const float> old, float alpha) {
  for (int i = 0; i < next.extent(0); ++i)
    for (int j = 0; j < next.extent(1); ++j) {
      const float centre = old(i + 1, j + 1);
      const float sides = old(i, j + 1) + old(i + 2, j + 1) + old(i + 1, j) + old(i + 1, j + 2);
      const float corners = old(i, j) + old(i, j + 2) + old(i + 2, j) + old(i + 2, j + 2);
      next(i, j) = centre + alpha * ((4 * sides + corners - 20 * centre) / 6);
    }
}

[[septran::task]]
void heat5_step([[septran::write]] matrix<float> next, matrix<const float> old, float alpha,
                float boundary) {
  [[septran::tunable]] const int tile_h = 64, tile_w = 512;
  auto tiles = septran::partition(next, {tile_h, tile_w});
  auto around = septran::windows(old, {tile_h, tile_w}, {tile_h, tile_w}, {1, 1}, {1, 1}, boundary);
  for (auto [i, j] : septran::parallel(tiles.shape()))
    heat5_leaf(tiles(i, j), around(i, j), alpha);
}

[[septran::task]]
void heat9_step([[septran::write]] matrix<float> next, matrix<const float> old, float alpha,
                float boundary) {
  [[septran::tunable]] const int tile_h = 64, tile_w = 512;
  auto tiles = septran::partition(next, {tile_h, tile_w});
  auto around = septran::windows(old, {tile_h, tile_w}, {tile_h, tile_w}, {1, 1}, {1, 1}, boundary);
  for (auto [i, j] : septran::parallel(tiles.shape()))
    heat9_leaf(tiles(i, j), around(i, j), alpha);
}

[[septran::task]]
void heat5(matrix<float> U, float alpha, float boundary, int steps) {
  septran::local<float, 2> other(U.extents());
  for (int pair = 0; pair < steps / 2; ++pair) {
    heat5_step(other, U, alpha, boundary);
    heat5_step(U, other, alpha, boundary);
  }
  if (steps % 2 != 0) {
    heat5_step(other, U, alpha, boundary);
    septran::copy(U, other);
  }
}

[[septran::task]]
void heat9(matrix<float> U, float alpha, float boundary, int steps) {
  septran::local<float, 2> other(U.extents());
  for (int pair = 0; pair < steps / 2; ++pair) {
    heat9_step(other, U, alpha, boundary);
    heat9_step(U, other, alpha, boundary);
  }
  if (steps % 2 != 0) {
    heat9_step(other, U, alpha, boundary);
    septran::copy(U, other);
  }
}
