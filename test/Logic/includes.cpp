// Clang's own headers, the standard library and <septran/septran.h> are found without any flag, and a
// folder that the user gives comes first.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 | FileCheck %s
// RUN: rm -rf %t && mkdir -p %t/septran
// RUN: echo '#error "the one of the user"' > %t/septran/septran.h
// RUN: not %septran-rewrite --print-tasks %s -- -std=c++20 -I%t 2>&1 | FileCheck %s --check-prefix=OWN
#include <septran/septran.h>

#include <cstdarg>
#include <cstddef>
#include <immintrin.h>

// OWN: error: "the one of the user"

// CHECK: leaf empty(read-write f32[1] x)
[[septran::leaf]] void empty(septran::tensor<float, 1> x) {}
