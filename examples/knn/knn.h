//===- knn.h - distances to all examples, and the nearest one ---*- C++ -*-===//
//
//   distances  D(i, j) = |Q(i) - T(j)|^2 for the rows of Q and T
//   nearest    for each row of Q the row of T with the least distance, the first of equals,
//              and that distance; without rows of T, -1 and infinity
//
// Computed as |q|^2 + |t|^2 - 2 q.t, and never below zero: what is close together is known
// to the rounding of the norms only. Any strides; results overlap nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

#include <cstdint>

void distances(septran::tensor<float, 2> D, septran::tensor<const float, 2> Q,
               septran::tensor<const float, 2> T);

void nearest(septran::tensor<std::int32_t, 1> index, septran::tensor<float, 1> distance,
             septran::tensor<const float, 2> Q, septran::tensor<const float, 2> T);
