// What is outside of the loop-nest form, and the reason given for it.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 | FileCheck %s --match-full-lines
#include <septran/septran.h>

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

using vector = septran::tensor<float, 1>;

float global = 1;
float elsewhere(float x);
inline float looped(float x) {
  while (x > 1)
    x *= 0.5f;
  return x;
}
inline float leaves_loop(float x) {
  for (int i = 0; i < 3; ++i)
    if (x > i)
      return x;
  return 0;
}
inline int rounded(int n) {
  n += 7;
  return n / 8;
}
inline float swapped(float &x) {
  x = -x;
  return x;
}
inline float stored(vector x) {
  x(0) = 1;
  return 2;
}
inline void store(float &x, const float &y) { x = y; }

// CHECK-LABEL: opaque leaf while_loop(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a while loop at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void while_loop(vector x) {
  int i = 0;
  while (i < x.extent(0))
    x(i++) = 0;
}

// CHECK-LABEL: opaque leaf endless(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a loop that is not counted by a fixed step at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void endless(vector x) {
  for (;;)
    x(0) = 0;
}

// CHECK-LABEL: opaque leaf doubling(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a loop that is not counted by a fixed step at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void doubling(vector x) {
  for (int i = 1; i < x.extent(0); i *= 2)
    x(i) = 0;
}

// CHECK-LABEL: opaque leaf changing_bound(read-write f32[1] x, i32 n) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a loop whose body changes its bound at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void changing_bound(vector x, int n) {
  for (int i = 0; i < n; ++i)
    if (x(i) > 0)
      n = n - 1;
}

// CHECK-LABEL: opaque leaf changing_variable(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a loop whose body changes its variable 'i' at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void changing_variable(vector x) {
  for (int i = 0; i < x.extent(0); ++i)
    if (x(i) > 0)
      ++i;
}

// CHECK-LABEL: opaque leaf changing_element_bound(read-write i32[1] n) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a loop whose body changes its bound at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void changing_element_bound(septran::tensor<int, 1> n) {
  for (int i = 0; i < n(0); ++i)
    n(i) = 1;
}

// CHECK-LABEL: opaque leaf outer_variable(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a loop whose variable 'i' is declared outside of it at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void outer_variable(vector x) {
  int i;
  for (i = 0; i < x.extent(0); ++i)
    x(i) = 0;
}

// CHECK-LABEL: opaque leaf unsigned_offset(read-write f32[1] x, u32 n) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a loop without a fixed bound at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void unsigned_offset(vector x, unsigned n) {
  for (unsigned i = 0; i - 1 < n; ++i)
    x(i) = 0;
}

// CHECK-LABEL: opaque leaf leaves_early(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a break at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void leaves_early(vector x) {
  for (int i = 0; i < x.extent(0); ++i) {
    if (x(i) < 0)
      break;
    x(i) = 0;
  }
}

// CHECK-LABEL: opaque leaf returns_inside(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a return inside a loop or inner block at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void returns_inside(vector x) {
  for (int i = 0; i < x.extent(0); ++i)
    if (x(i) < 0)
      return;
}

// CHECK-LABEL: opaque leaf pointer(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a variable of type 'float *' at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void pointer(vector x) {
  float *p = x.data();
  p[0] = 1;
}

// CHECK-LABEL: opaque leaf strides(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   'stride' of a tensor at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void strides(vector x) { x(x.stride(0)) = 1; }

// CHECK-LABEL: opaque leaf array(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   an array at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void array(vector x) {
  float t[4] = {};
  x(0) = t[0];
}

// CHECK-LABEL: opaque leaf object(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a variable of type 'std::vector<float>' at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void object(vector x) {
  std::vector<float> v(3);
  x(0) = v[0];
}

// CHECK-LABEL: opaque leaf pair(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a structured binding at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void pair(vector x) {
  auto [a, b] = std::pair(1, 2);
  x(a) = b;
}

// CHECK-LABEL: opaque leaf reads_global(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   the variable 'global', which is no constant at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void reads_global(vector x) { x(0) = global; }
// CHECK-LABEL: opaque leaf calls_elsewhere(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a call of 'elsewhere' at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void calls_elsewhere(vector x) { x(0) = elsewhere(x(0)); }
// CHECK-LABEL: opaque leaf calls_looped(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a call of 'looped', which contains a while loop at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void calls_looped(vector x) { x(0) = looped(x(0)); }
// CHECK-LABEL: opaque leaf calls_without_end(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a call of '{{endless|other}}', which goes deeper than 16 calls at line {{[0-9]+}}
// CHECK-NEXT: }
float other(float x);
inline float endless(float x) { return x > 0 ? other(x - 1) : x; }
inline float other(float x) { return 2 * endless(x); }
[[septran::leaf]] void calls_without_end(vector x) { x(0) = endless(x(0)); }
// CHECK-LABEL: opaque leaf calls_leaves_loop(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a call of 'leaves_loop', which contains a return inside a loop or inner block at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void calls_leaves_loop(vector x) { x(0) = leaves_loop(x(0)); }
// CHECK-LABEL: opaque leaf calls_in_head(read-write f32[1] x, i32 n) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a call of 'rounded' in the head of a loop at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void calls_in_head(vector x, int n) {
  for (int i = 0; i < rounded(n); ++i)
    x(i) = 0;
}
// CHECK-LABEL: opaque leaf calls_swapped(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   an argument that the function called changes at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void calls_swapped(vector x) { x(0) = x(1) + swapped(x(1)); }
// CHECK-LABEL: opaque leaf calls_stored(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a call of 'stored', which contains an assignment to what is not its own at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void calls_stored(vector x) { x(0) = x(0) + stored(x); }
// CHECK-LABEL: opaque leaf calls_hypot(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a call of 'hypot' at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void calls_hypot(vector x) { x(0) = std::hypot(x(0), x(1)); }
// CHECK-LABEL: opaque leaf either_name(read-write f32[1] x, i32 n) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   this reference at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void either_name(vector x, int n) { store(x(0), n > 0 ? x(0) : x(1)); }
// CHECK-LABEL: opaque leaf moving_argument(read-write f32[1] x, i32 n) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a reference to an element at a position that may change at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void moving_argument(vector x, int n) {
  store(x(n), 1);
  n += 1;
}
// CHECK-LABEL: opaque leaf prints(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a call of 'printf' at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void prints(vector x) { std::printf("%f\n", double(x(0))); }
// CHECK-LABEL: opaque leaf chained(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   an assignment inside an expression at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void chained(vector x) { x(0) = x(1) = 0; }
// CHECK-LABEL: opaque leaf increments_inside(read-write f32[1] x, i32 n) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   an increment inside an expression at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void increments_inside(vector x, int n) { x(n++) = 0; }
// CHECK-LABEL: opaque leaf float_loop(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   an index that is no integer at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void float_loop(vector x) {
  for (float f = 0; f < 3; f += 1)
    x(0) += f;
}
// CHECK-LABEL: opaque leaf wide(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a variable of type 'long double' at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void wide(vector x) {
  long double sum = 0;
  sum += x(0);
}
// CHECK-LABEL: opaque leaf swaps(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a call of 'swap' at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void swaps(vector x) { std::swap(x(0), x(1)); }
// CHECK-LABEL: opaque leaf counts_calls(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a static variable at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void counts_calls(vector x) {
  static int calls = 0;
  x(0) = float(++calls);
}
// CHECK-LABEL: opaque leaf moving_reference(read-write f32[1] x, i32 n) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a reference to an element at a position that may change at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void moving_reference(vector x, int n) {
  float &first = x(n);
  n += 1;
  first = 0;
}
// CHECK-LABEL: opaque leaf switches(read-write f32[1] x, i32 n) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a switch at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void switches(vector x, int n) {
  switch (n) {
  case 1:
    x(0) = 0;
  }
}
// CHECK-LABEL: opaque leaf range(read-write f32[1] x) at {{.*/}}leaf-opaque.cpp:{{[0-9]+}} {
// CHECK-NEXT:   a loop over this range at line {{[0-9]+}}
// CHECK-NEXT: }
[[septran::leaf]] void range(vector x) {
  for (int i : {1, 2, 3})
    x(i) = 0;
}
