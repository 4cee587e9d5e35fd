// Expressions, updates and scalars of leaves.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 | FileCheck %s --match-full-lines
#include <septran/septran.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

template <class T> using vector = septran::tensor<T, 1>;
template <class T> using matrix = septran::tensor<T, 2>;

constexpr float slope = 0.01f;
enum class mode { off, on = 3 };

inline float square(float x) { return x * x; }
inline float gelu(float x) {
  const float c = 0.7978845608f;
  return 0.5f * x * (1.0f + std::tanh(c * (x + 0.044715f * square(x) * x)));
}
inline float leaky(float x) {
  if (x < 0)
    return slope * x;
  return x;
}
template <class T> struct scaled {
  T factor;
  static constexpr T twice(T x) { return x + x; }
};
inline float pick(matrix<const float> A, int i) { return A(i, i + 1); }
inline float halves(float x, int n) {
  if (n == 0)
    return x;
  const float half = x * 0.5f;
  return halves(x + 1, n - 1) + half;
}

// CHECK-LABEL: leaf updates(read-write f32[1] x, read-write f64[1] d, read-write i8[1] b, f32 e) at {{.*/}}leaf-values.cpp:{{[0-9]+}} {
// CHECK-NEXT:   for (i : 0 .. x.extent(0)) {
// CHECK-NEXT:     x(i) += e
// CHECK-NEXT:     x(i) *= e
// CHECK-NEXT:     x(i) += e
// CHECK-NEXT:     x(i) = max(x(i), e)
// CHECK-NEXT:     x(i) = max(x(i), e)
// CHECK-NEXT:     x(i) = max(x(i), e)
// CHECK-NEXT:     x(i) = min(x(i), e)
// CHECK-NEXT:     x(i) = min(x(i), e)
// CHECK-NEXT:     x(i) = max(x(i), e)
// CHECK-NEXT:     d(i) += f64(e)
// CHECK-NEXT:     x(i) -= d(i)
// CHECK-NEXT:     b(i) += 3
// CHECK-NEXT:     b(i) = i8(b(i) % 2)
// CHECK-NEXT:     b(i) += 1
// CHECK-NEXT:     x(i) -= 1.0f
// CHECK-NEXT:     x(i) = e - x(i)
// CHECK-NEXT:   }
// CHECK-NEXT: }
/// What combines a value with the one that is there.
[[septran::leaf]] void updates(vector<float> x, vector<double> d, vector<std::int8_t> b, float e) {
  for (int i = 0; i < x.extent(0); ++i) {
    x(i) += e;
    x(i) = x(i) * e;
    x(i) = e + x(i);
    x(i) = std::max(x(i), e);
    x(i) = x(i) < e ? e : x(i);
    if (x(i) < e)
      x(i) = e;
    if (e < x(i)) {
      x(i) = e;
    }
    x(i) = std::fmin(x(i), e);
    x(i) = std::fmax(e, x(i));
    d(i) += e;
    x(i) -= d(i);
    b(i) += 3;
    b(i) %= 2;
    ++b(i);
    x(i)--;
    x(i) = e - x(i);
  }
}

// CHECK-LABEL: leaf functions(read-write f32[1] y, read f32[2] A, read i32[1] n) at {{.*/}}leaf-values.cpp:{{[0-9]+}} {
// CHECK-NEXT:   for (i : 0 .. y.extent(0)) {
// CHECK-NEXT:     y(i) = f32(f64(exp(A(i, 0)) + exp(A(i, 1))) + pow(f64(A(i, 2)), 2.0) + f64(abs(n(i))))
// CHECK-NEXT:     y(i) = min(max(A(i, 0), -1.0f), 1.0f) + max(max(A(i, 0), A(i, 1)), 0.5f)
// CHECK-NEXT:     y(i) = isnan(A(i, 0)) ? A(i, 1) : max(A(i, 0), A(i, 1))
// CHECK-NEXT:     let x : f32 = A(i, 0) + A(i, 1)
// CHECK-NEXT:     let x_1 : f32 = A(i, 2)
// CHECK-NEXT:     y(i) = 0.5f * x * (1.0f + tanh(0.7978846f * (x + 0.044715f * (x * x) * x))) + (x_1 < 0.0f ? 0.01f * x_1 : x_1)
// CHECK-NEXT:     y(i) = A(i, 0) > 0.0f ? 0.5f * (A(i, 0) * 2.0f) * (1.0f + tanh(0.7978846f * (A(i, 0) * 2.0f + 0.044715f * (A(i, 0) * 2.0f * (A(i, 0) * 2.0f)) * (A(i, 0) * 2.0f)))) : 0.0f
// CHECK-NEXT:     let x_2 : f32 = A(i, 0)
// CHECK-NEXT:     y(i) = x_2 + x_2 + A(i, i + 1)
// CHECK-NEXT:     y(i) = isnan(A(i, 0)) || isinf(A(i, 1)) ? f32(-inf) : -3.4028235e+38f
// CHECK-NEXT:     y(i) = f32(u64(n(i) / 2) + u64(n(i) & 1) + u64(n(i) << 2) + u64(-n(i)) + u64(n(i) == 0) + 7)
// CHECK-NEXT:   }
// CHECK-NEXT: }
/// Functions of <cmath> and <algorithm>, and the user's own ones.
[[septran::leaf]] void functions(vector<float> y, matrix<const float> A, vector<const int> n) {
  for (int i = 0; i < y.extent(0); ++i) {
    y(i) = std::exp(A(i, 0)) + expf(A(i, 1)) + std::pow(A(i, 2), 2) + std::abs(n(i));
    y(i) = std::clamp(A(i, 0), -1.0f, 1.0f) + std::max({A(i, 0), A(i, 1), 0.5f});
    y(i) = std::fmax(A(i, 0), A(i, 1));
    y(i) = gelu(A(i, 0) + A(i, 1)) + leaky(A(i, 2));
    y(i) = A(i, 0) > 0 ? gelu(A(i, 0) * 2) : 0.0f;
    y(i) = scaled<float>::twice(A(i, 0)) + pick(A, i);
    y(i) = std::isnan(A(i, 0)) || std::isinf(A(i, 1)) ? -std::numeric_limits<float>::infinity()
                                                      : std::numeric_limits<float>::lowest();
    y(i) = int(mode::on) + sizeof(float) + n(i) / 2 + (n(i) & 1) + (n(i) << 2) + -n(i) + !n(i);
  }
}

// CHECK-LABEL: leaf itself(read-write f32[1] x) at {{.*/}}leaf-values.cpp:{{[0-9]+}} {
// CHECK-NEXT:   let x_1 : f32 = x(0)
// CHECK-NEXT:   let half : f32 = x_1 * 0.5f
// CHECK-NEXT:   let x_2 : f32 = x_1 + 1.0f
// CHECK-NEXT:   let half_1 : f32 = x_2 * 0.5f
// CHECK-NEXT:   let x_3 : f32 = x_2 + 1.0f
// CHECK-NEXT:   x(0) = x_3 + half_1 + half
// CHECK-NEXT: }
/// Each call has variables of its own.
[[septran::leaf]] void itself(vector<float> x) { x(0) = halves(x(0), 2); }

// CHECK-LABEL: leaf names(read-write f64[2] x, read-write i32[1] where, i32 offset, i32 count) at {{.*/}}leaf-values.cpp:{{[0-9]+}} {
// CHECK-NEXT:   var count_1 : i32 = count
// CHECK-NEXT:   for (i : 0 .. x.extent(0)) {
// CHECK-NEXT:     var best : f64 = -1e+30
// CHECK-NEXT:     var sum : f64
// CHECK-NEXT:     var at : i32 = 0
// CHECK-NEXT:     sum = 0.0
// CHECK-NEXT:     for (j : 0 .. x.extent(1) / 2) {
// CHECK-NEXT:       let l : f64 = x(i, j)
// CHECK-NEXT:       let h : f64 = x(i, j + x.extent(1) / 2)
// CHECK-NEXT:       x(i, j) = l + h
// CHECK-NEXT:       x(i, j + x.extent(1) / 2) = (l - h) * f64(j + offset)
// CHECK-NEXT:       sum += x(i, j)
// CHECK-NEXT:       if (x(i, j) > best) {
// CHECK-NEXT:         best = x(i, j)
// CHECK-NEXT:         at = j
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     where(i) = at
// CHECK-NEXT:     count_1 += 1
// CHECK-NEXT:     x(i, 0) = sum / f64(count_1)
// CHECK-NEXT:     x(i, 1) = best
// CHECK-NEXT:   }
// CHECK-NEXT: }
/// Names of scalars, elements and rows.
[[septran::leaf]] void names(matrix<double> x, vector<std::int32_t> where, int offset, int count) {
  const int half = x.extent(1) / 2;
  const auto extents = x.extents();
  auto weight = [&](double v, int i) { return v * (i + offset); };
  for (int i = 0; i < extents[0]; ++i) {
    double best = -1e30, sum;
    int at = 0;
    sum = 0;
    auto row = septran::subtensor(x, i, septran::all);
    for (int j = 0; j < half; ++j) {
      const int other = j + half;
      double &low = x(i, j);
      double &high = row(other);
      const double l = low, h = high;
      low = l + h;
      high = weight(l - h, j);
      sum += low;
      if (low > best) {
        best = low;
        at = j;
      }
    }
    where(i) = at;
    count += 1;
    row(0) = sum / count;
    septran::transpose(x)(1, i) = best;
  }
}

// CHECK-LABEL: leaf small<septran::float16>(read-write f16[2] y, read f16[2] x, f16 scale) at {{.*/}}leaf-values.cpp:{{[0-9]+}} {
// CHECK-NEXT:   for (i : 0 .. y.extent(0)) {
// CHECK-NEXT:     y(i, 0) = x(i, 0) * scale + f16(0.5f)
// CHECK-NEXT:     y(i, 1) = f16(f64(f32(x(i, 1)) * 2.0f) + f64(f32(x(i, 2))))
// CHECK-NEXT:     y(i, 2) += x(i, 2)
// CHECK-NEXT:     y(i, 3) *= 3.0f
// CHECK-NEXT:     y(i, 4) = -x(i, 4)
// CHECK-NEXT:     y(i, 5) = max(y(i, 5), x(i, 5))
// CHECK-NEXT:     y(i, 6) = f32(x(i, 6)) > f32(scale) ? f16(-65504.0) : f16(0.0)
// CHECK-NEXT:     y(i, 7) = f16(exp(f32(x(i, 7))))
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-LABEL: leaf small<septran::float8_e4m3>(read-write f8e4m3[2] y, read f8e4m3[2] x, f8e4m3 scale) at {{.*/}}leaf-values.cpp:{{[0-9]+}} {
// CHECK-NEXT:   for (i : 0 .. y.extent(0)) {
// CHECK-NEXT:     y(i, 0) = x(i, 0) * scale + f8e4m3(0.5f)
// CHECK-NEXT:     y(i, 1) = f8e4m3(f64(f32(x(i, 1)) * 2.0f) + f64(f32(x(i, 2))))
// CHECK-NEXT:     y(i, 2) += x(i, 2)
// CHECK-NEXT:     y(i, 3) *= 3.0f
// CHECK-NEXT:     y(i, 4) = -x(i, 4)
// CHECK-NEXT:     y(i, 5) = max(y(i, 5), x(i, 5))
// CHECK-NEXT:     y(i, 6) = f32(x(i, 6)) > f32(scale) ? f8e4m3(-448.0) : f8e4m3(0.0)
// CHECK-NEXT:     y(i, 7) = f8e4m3(exp(f32(x(i, 7))))
// CHECK-NEXT:   }
// CHECK-NEXT: }
/// The small float types convert and round as their C++ operators do.
template <class T>
[[septran::leaf]] void small(matrix<T> y, matrix<const T> x, T scale) {
  for (int i = 0; i < y.extent(0); ++i) {
    y(i, 0) = x(i, 0) * scale + T(0.5f);
    y(i, 1) = T(float(x(i, 1)) * 2.0f + double(x(i, 2)));
    y(i, 2) += x(i, 2);
    y(i, 3) *= 3.0f;
    y(i, 4) = -x(i, 4);
    y(i, 5) = std::max(y(i, 5), x(i, 5));
    y(i, 6) = x(i, 6) > scale ? std::numeric_limits<T>::lowest() : T{};
    y(i, 7) = std::exp(x(i, 7));
  }
}
template void small<septran::float16>(matrix<septran::float16>, matrix<const septran::float16>, septran::float16);
template void small<septran::float8_e4m3>(matrix<septran::float8_e4m3>, matrix<const septran::float8_e4m3>,
                                          septran::float8_e4m3);

// CHECK-LABEL: leaf rank0(read-write f32[0] s, read f32[1] x) at {{.*/}}leaf-values.cpp:{{[0-9]+}} {
// CHECK-NEXT:   s() = 0.0f
// CHECK-NEXT:   for (i : 0 .. x.extent(0)) {
// CHECK-NEXT:     s() += x(i)
// CHECK-NEXT:   }
// CHECK-NEXT: }
/// A tensor without dimensions has one element.
[[septran::leaf]] void rank0(septran::tensor<float, 0> s, vector<const float> x) {
  s() = 0;
  for (int i = 0; i < x.extent(0); ++i)
    s() += x(i);
}
