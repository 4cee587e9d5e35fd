//===- heat3d.h - heat on a three-dimensional grid --------------*- C++ -*-===//
//
// `steps` explicit Euler steps of the heat equation on U, in place. Every point moves by
// alpha * (sum of its six neighbours - 6 * itself). Beyond the edge of the grid the
// temperature is `boundary`; alpha <= 1/6 is stable. Any strides.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

void heat3d(septran::tensor<float, 3> U, float alpha, float boundary, int steps);
