// Every way to write the attributes, with forward declarations, macros and templates.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 | FileCheck %s
#include <septran/septran.h>

#define LEAF(family) [[septran::leaf(family)]]
using vector = septran::tensor<float, 1>;

// CHECK-LABEL: leaf using_prefix of family f1(write f32[1] x)
[[using septran: leaf("f1")]] void using_prefix([[using septran: write]] vector x) { x(0) = 1; }

// CHECK-LABEL: leaf from_macro of family f2(read-write f32[1] x)
LEAF("f2") void from_macro(vector x) { x(0) = 1; }

// CHECK-LABEL: leaf forward of family f3(reduce(max) f32[1] x)
[[septran::leaf("f3")]] void forward([[septran::reduce("max")]] vector x);
void forward(vector x) { x(0) = x(0) < 2 ? 2 : x(0); }

// CHECK-LABEL: leaf trailing(read-write f32[1] x)
void trailing [[septran::leaf, maybe_unused]] (vector x) { x(0) = 1; }

namespace inner {
// CHECK-LABEL: leaf in_template<float> of family f4(write f32[1] x)
template <class T> [[septran::leaf("f4")]] void in_template([[septran::write]] septran::tensor<T, 1> x);
template <class T> void in_template(septran::tensor<T, 1> x) { x(0) = T(1); }
template void in_template<float>(septran::tensor<float, 1>);
} // namespace inner

struct group {
  // CHECK-LABEL: leaf member(read-write f32[1] x)
  [[septran::leaf]] static void member(vector x) { x(0) = 1; }
};
