//===- rotary.h - rotary position embedding ---------------------*- C++ -*-===//
//
// Turns the queries or keys of an attention layer by angles that follow from their
// positions, in place (J. Su et al., RoFormer, 2021):
//
//   X         positions x heads x width, width even
//   cos, sin  positions x width / 2: of the angle of each pair
//
// Element p of a head pairs up with element p + width / 2. Any strides.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

void rotary(septran::tensor<float, 3> X, septran::tensor<const float, 2> cos,
            septran::tensor<const float, 2> sin);
