// Tasks of headers come in by being launched; and with them all variants of their family, even those
// that the program itself never instantiates.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 | FileCheck %s --implicit-check-not=not_launched --implicit-check-not=double_rank_2
#include "Inputs/family.h"

namespace {
// CHECK-LABEL: task twice(read-write f32[1] x, read-write f64[1] y) at {{.*/}}families.cpp
// CHECK-NEXT: launch double_leaf(x)
// CHECK-NEXT: launch double_leaf#1(y)
[[septran::task]] void twice(septran::tensor<float, 1> x, septran::tensor<double, 1> y) {
  lib::double_leaf(x);
  lib::double_leaf(y);
}
} // namespace

// CHECK-LABEL: leaf double_unrolled of family double(read-write f32[1] x)
[[septran::leaf("double")]] void double_unrolled(septran::tensor<float, 1> x) {
  for (int i = 0; i < x.extent(0); i += 2) {
    x(i) += x(i);
    if (i + 1 < x.extent(0))
      x(i + 1) += x(i + 1);
  }
}

// CHECK-LABEL: leaf double_leaf<float> of family double(read-write f32[1] x) at {{.*/}}family.h
// CHECK-LABEL: leaf double_leaf<double> of family double(read-write f64[1] x) at {{.*/}}family.h
// CHECK-LABEL: task double_blocked<float> of family double(read-write f32[1] x) at {{.*/}}family.h
// CHECK: launch double_leaf(x[block i of tile])
// CHECK-LABEL: task double_blocked<double> of family double(read-write f64[1] x) at {{.*/}}family.h
