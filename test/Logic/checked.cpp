// A build with run-time checks has other classes behind tensors; the logic in it is the same.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 > %t.plain
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 -DSEPTRAN_CHECKED > %t.checked
// RUN: diff %t.plain %t.checked
// RUN: FileCheck %s < %t.checked
#include <septran/septran.h>

// CHECK: C(i, j) += A(i, j)
[[septran::leaf]] void add(septran::tensor<float, 2> C, septran::tensor<const float, 2> A) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      C(i, j) += A(i, j);
}
