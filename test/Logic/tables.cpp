// Elements of constant arrays are choices between numbers, or a number where the subscript is one. Too many are no
// choice: the leaf is opaque then.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 | FileCheck %s --match-full-lines
// RUN: %septran-rewrite %s --machine cpu/x86-avx512 --entry all --write-mapping %t.yaml -o %t.cpp -- -std=c++20
// RUN: %septran-verify %s --mapping %t.yaml --seeds 1 -- -std=c++20 | FileCheck --check-prefix=SAME %s
// REQUIRES: openmp
// SAME: {{^}}verified
#include <septran/septran.h>

#include <array>

template <class T> using vector = septran::tensor<T, 1>;
template <class T> using matrix = septran::tensor<T, 2>;

namespace filters {
inline constexpr float gauss[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
}
constexpr int order[4] = {3, 1, 0, 2};
constexpr float wide[33] = {1};
float changing[2] = {1, 2};

// CHECK: leaf smooth(write f32[2] y, read f32[2] x) at {{.*}}
// CHECK:           sum += (r == 1 ? s == 1 ? 4.0f : 2.0f : s == 1 ? 2.0f : 1.0f) * x(i + r, j + s)
// CHECK:       y(i, j) = sum / 4.0f
[[septran::leaf]] void smooth([[septran::write]] matrix<float> y, matrix<const float> x) {
  for (int i = 0; i < y.extent(0); ++i)
    for (int j = 0; j < y.extent(1); ++j) {
      float sum = 0;
      for (int r = 0; r < 3; ++r)
        for (int s = 0; s < 3; ++s)
          sum += filters::gauss[r][s] * x(i + r, j + s);
      y(i, j) = sum / filters::gauss[1][1];
    }
}

// CHECK: leaf mix(write f32[2] y, read f32[2] x) at {{.*}}
// CHECK:       y(i, c == 1 ? 1 : c == 2 ? 0 : c == 3 ? 2 : 3) = (c == 1 ? 2.0f : c == 2 ? -1.0f : 0.5f) * x(i, c) + 1.0f + 0.5f
[[septran::leaf]] void mix([[septran::write]] matrix<float> y, matrix<const float> x) {
  const float weights[] = {0.5f, 2.0f, -1.0f, 0.5f};
  constexpr std::array<double, 4> more = {1, 1, 1, 1};
  for (int i = 0; i < x.extent(0); ++i)
    for (int c = 0; c < 4; ++c)
      y(i, order[c]) = weights[c] * x(i, c) + float(more[c]) + weights[3];
}

// CHECK: opaque leaf too_wide({{.*}}
// CHECK-NEXT:   a constant array of more than 32 numbers at line {{.*}}
[[septran::leaf]] void too_wide(vector<float> y) {
  for (int i = 0; i < y.extent(0); ++i)
    y(i) += wide[i % 33];
}
// CHECK: opaque leaf not_constant({{.*}}
[[septran::leaf]] void not_constant(vector<float> y) {
  for (int i = 0; i < y.extent(0); ++i)
    y(i) += changing[i % 2];
}

[[septran::task]] void all([[septran::write]] matrix<float> y, [[septran::write]] matrix<float> z, matrix<const float> x) {
  smooth(y, x);
  mix(z, x);
}
[[septran::task]] void others(vector<float> y) {
  too_wide(y);
  not_constant(y);
}
