// Functions that a leaf calls: what takes statements stands before the statement with the call.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 | FileCheck %s --match-full-lines
#include <septran/septran.h>

#include <cassert>
#include <cmath>

template <class T> using vector = septran::tensor<T, 1>;

inline float soft(float x, float t) {
  float y = std::abs(x) - t;
  y = y > 0 ? y : 0;
  return x < 0 ? -y : y;
}
inline float poly(float x) {
  static constexpr float c[3] = {1, 2, 4};
  float r = 1;
  for (int i = 0; i < 3; ++i)
    r = r * x + c[i];
  return r;
}
inline float act(float x) {
  float y;
  if (x > 0)
    y = x;
  else
    y = 0.1f * x;
  return y;
}
inline float early(float x) {
  assert(x == x);
  if (const float y = x * x; y > 1) {
    x += 1;
    return x * y;
  }
  x -= 1;
  return x;
}
inline int quotient(int a, int b) {
  int q = 0;
  if (b != 0)
    q = a / b;
  return q;
}
template <class T> T shifted(const T &x) {
  T y = x;
  T &z = y;
  z += T(1);
  return y;
}
inline float nested(float x) {
  auto twice = [](float v) {
    v *= 2;
    return v;
  };
  return shifted(twice(x)) + float(shifted(double(x)));
}
inline float around(vector<const float> x, int i) {
  float sum = 0;
  for (int k = -1; k <= 1; ++k)
    sum += x(i + k);
  return sum;
}

inline void add(float &to, const float &a, float b) {
  to += a;
  to += a;
  to += b;
}
inline void split(float x, float &whole, float &rest) {
  whole = std::floor(x);
  if (whole == x) {
    rest = 0;
    return;
  }
  rest = x - whole;
}

// CHECK-LABEL: leaf assigns(read-write f32[1] y, read f32[1] x) at {{.*}} {
// CHECK-NEXT:   for (i : 0 .. y.extent(0)) {
// CHECK-NEXT:     let x_1 : f32 = x(i)
// CHECK-NEXT:     var y_1 : f32 = abs(x_1) - 0.5f
// CHECK-NEXT:     y_1 = max(0.0f, y_1)
// CHECK-NEXT:     y(i) += x_1 < 0.0f ? -y_1 : y_1
// CHECK-NEXT:   }
// CHECK-NEXT: }
/// The argument is evaluated once.
[[septran::leaf]] void assigns(vector<float> y, vector<const float> x) {
  for (int i = 0; i < y.extent(0); ++i)
    y(i) += soft(x(i), 0.5f);
}

// CHECK-LABEL: leaf branches(read-write f32[1] y, read f32[1] x) at {{.*}} {
// CHECK-NEXT:   let x_1 : f32 = x(0)
// CHECK-NEXT:   var y_1 : f32
// CHECK-NEXT:   if (x_1 > 0.0f) {
// CHECK-NEXT:     y_1 = x_1
// CHECK-NEXT:   } else {
// CHECK-NEXT:     y_1 = 0.1f * x_1
// CHECK-NEXT:   }
// CHECK-NEXT:   y(0) = y_1
// CHECK-NEXT:   var x_2 : f32 = x(0)
// CHECK-NEXT:   var result : f32
// CHECK-NEXT:   let y_2 : f32 = x_2 * x_2
// CHECK-NEXT:   if (y_2 > 1.0f) {
// CHECK-NEXT:     x_2 += 1.0f
// CHECK-NEXT:     result = x_2 * y_2
// CHECK-NEXT:   } else {
// CHECK-NEXT:     x_2 -= 1.0f
// CHECK-NEXT:     result = x_2
// CHECK-NEXT:   }
// CHECK-NEXT:   y(1) = result
// CHECK-NEXT: }
/// Conditions, and returns in them.
[[septran::leaf]] void branches(vector<float> y, vector<const float> x) {
  y(0) = act(x(0));
  y(1) = early(x(0));
}

// CHECK-LABEL: leaf loops(read-write f32[1] y, read f32[1] x) at {{.*}} {
// CHECK-NEXT:   for (i : 0 .. y.extent(0)) {
// CHECK-NEXT:     let x_1 : f32 = x(i + 1)
// CHECK-NEXT:     var r : f32 = 1.0f
// CHECK-NEXT:     for (i_1 : 0 .. 3) {
// CHECK-NEXT:       r = r * x_1 + (i_1 == 1 ? 2.0f : i_1 == 2 ? 4.0f : 1.0f)
// CHECK-NEXT:     }
// CHECK-NEXT:     var sum : f32 = 0.0f
// CHECK-NEXT:     for (k : -1 .. 2) {
// CHECK-NEXT:       sum += x(i + k + 1)
// CHECK-NEXT:     }
// CHECK-NEXT:     y(i) = r + sum
// CHECK-NEXT:   }
// CHECK-NEXT: }
/// Counted loops, over constants and over elements at positions that stay what they are.
[[septran::leaf]] void loops(vector<float> y, vector<const float> x) {
  for (int i = 0; i < y.extent(0); ++i)
    y(i) = poly(x(i + 1)) + around(x, i + 1);
}

// CHECK-LABEL: leaf inner_calls(read-write f32[1] y, read f32[1] x) at {{.*}} {
// CHECK-NEXT:   let x_1 : f32 = x(0)
// CHECK-NEXT:   var v : f32 = x_1
// CHECK-NEXT:   v *= 2.0f
// CHECK-NEXT:   var y_1 : f32 = v
// CHECK-NEXT:   y_1 += 1.0f
// CHECK-NEXT:   let x_2 : f64 = f64(x_1)
// CHECK-NEXT:   var y_2 : f64 = x_2
// CHECK-NEXT:   y_2 += 1.0
// CHECK-NEXT:   y(0) = y_1 + f32(y_2)
// CHECK-NEXT: }
/// Functions of functions, templates, lambdas.
[[septran::leaf]] void inner_calls(vector<float> y, vector<const float> x) { y(0) = nested(x(0)); }

// CHECK-LABEL: leaf lazy(read-write i32[1] y, i32 a, i32 b) at {{.*}} {
// CHECK-NEXT:   var chosen : i32
// CHECK-NEXT:   if (a > 0) {
// CHECK-NEXT:     var q : i32 = 0
// CHECK-NEXT:     if (b != 0) {
// CHECK-NEXT:       q = a / b
// CHECK-NEXT:     }
// CHECK-NEXT:     chosen = q
// CHECK-NEXT:   } else {
// CHECK-NEXT:     chosen = y(0)
// CHECK-NEXT:   }
// CHECK-NEXT:   y(0) = chosen
// CHECK-NEXT:   var chosen_1 : bool
// CHECK-NEXT:   if (b > 7) {
// CHECK-NEXT:     chosen_1 = true
// CHECK-NEXT:   } else {
// CHECK-NEXT:     var q_1 : i32 = 0
// CHECK-NEXT:     if (a != 0) {
// CHECK-NEXT:       q_1 = b / a
// CHECK-NEXT:     }
// CHECK-NEXT:     chosen_1 = q_1 > 0
// CHECK-NEXT:   }
// CHECK-NEXT:   if (chosen_1) {
// CHECK-NEXT:     y(1) = 1
// CHECK-NEXT:   }
// CHECK-NEXT: }
/// What C++ does not evaluate is not evaluated.
[[septran::leaf]] void lazy(vector<int> y, int a, int b) {
  y(0) = a > 0 ? quotient(a, b) : y(0);
  if (b > 7 || quotient(b, a) > 0)
    y(1) = 1;
}

// CHECK-LABEL: leaf alone(read-write f32[1] y, read f32[1] x) at {{.*}} {
// CHECK-NEXT:   var most : f32 = 0.0f
// CHECK-NEXT:   for (i : 0 .. y.extent(0)) {
// CHECK-NEXT:     var whole : f32
// CHECK-NEXT:     var rest : f32
// CHECK-NEXT:     let x_1 : f32 = x(i)
// CHECK-NEXT:     whole = floor(x_1)
// CHECK-NEXT:     if (whole == x_1) {
// CHECK-NEXT:       rest = 0.0f
// CHECK-NEXT:     } else {
// CHECK-NEXT:       rest = x_1 - whole
// CHECK-NEXT:     }
// CHECK-NEXT:     let b : f32 = y(i)
// CHECK-NEXT:     y(i) += y(i)
// CHECK-NEXT:     y(i) += y(i)
// CHECK-NEXT:     y(i) += b
// CHECK-NEXT:     let a : f32 = rest * 2.0f
// CHECK-NEXT:     let b_1 : f32 = rest
// CHECK-NEXT:     rest += a
// CHECK-NEXT:     rest += a
// CHECK-NEXT:     rest += b_1
// CHECK-NEXT:     let v : f32 = rest
// CHECK-NEXT:     most = max(most, v)
// CHECK-NEXT:   }
// CHECK-NEXT:   y(0) = most
// CHECK-NEXT: }
/// Where the call is a statement, it changes what its references name.
[[septran::leaf]] void alone(vector<float> y, vector<const float> x) {
  float most = 0;
  auto note = [&](float v) { most = v > most ? v : most; };
  for (int i = 0; i < y.extent(0); ++i) {
    float whole, rest;
    split(x(i), whole, rest);
    add(y(i), y(i), y(i));
    add(rest, rest * 2, rest);
    note(rest);
  }
  y(0) = most;
}
