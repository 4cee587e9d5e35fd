//===- stencil.h - heat on a two-dimensional grid ---------------*- C++ -*-===//
//
// Explicit steps of the heat equation: in each step every point moves towards the
// mean of its neighbours,
//
//   U' = U + alpha * L(U)
//
// where L is the discrete Laplacian on a grid of unit spacing and everything outside
// the grid has the temperature `boundary`. Stable for 0 <= alpha <= 1/4 (heat5) and
// 0 <= alpha <= 3/8 (heat9).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

/// L from four neighbours: N + S + E + W - 4 U.
void heat5(septran::tensor<float, 2> U, float alpha, float boundary, int steps);

/// L from eight neighbours: (4 (N + S + E + W) + NE + NW + SE + SW - 20 U) / 6.
void heat9(septran::tensor<float, 2> U, float alpha, float boundary, int steps);
