//===- leaves/math.h - leaves that apply a function to every element -----===//
//
// As leaves/elementwise.h: one overload per rank, 1 to 3, extents of the first argument.
// float and double call the <cmath> function of that type; the smaller float types go
// through float and round once.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_LEAVES_MATH_H
#define SEPTRAN_LEAVES_MATH_H

#include <septran/attributes.h>
#include <septran/leaves/scalar.h>
#include <septran/tensor.h>

#include <cmath>

namespace septran {

/// dst = e^src.
template <class T>
[[septran::leaf]] void exp([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = T(std::exp(src(i)));
}
template <class T>
[[septran::leaf]] void exp([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = T(std::exp(src(i, j)));
}
template <class T>
[[septran::leaf]] void exp([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = T(std::exp(src(i, j, k)));
}

/// dst = 2^src.
template <class T>
[[septran::leaf]] void exp2([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = T(std::exp2(src(i)));
}
template <class T>
[[septran::leaf]] void exp2([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = T(std::exp2(src(i, j)));
}
template <class T>
[[septran::leaf]] void exp2([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = T(std::exp2(src(i, j, k)));
}

/// dst = the natural logarithm of src.
template <class T>
[[septran::leaf]] void log([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = T(std::log(src(i)));
}
template <class T>
[[septran::leaf]] void log([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = T(std::log(src(i, j)));
}
template <class T>
[[septran::leaf]] void log([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = T(std::log(src(i, j, k)));
}

/// dst = the logarithm of src to base 2.
template <class T>
[[septran::leaf]] void log2([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = T(std::log2(src(i)));
}
template <class T>
[[septran::leaf]] void log2([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = T(std::log2(src(i, j)));
}
template <class T>
[[septran::leaf]] void log2([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = T(std::log2(src(i, j, k)));
}

/// dst = the square root of src.
template <class T>
[[septran::leaf]] void sqrt([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = T(std::sqrt(src(i)));
}
template <class T>
[[septran::leaf]] void sqrt([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = T(std::sqrt(src(i, j)));
}
template <class T>
[[septran::leaf]] void sqrt([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = T(std::sqrt(src(i, j, k)));
}

/// dst = 1 / the square root of src.
template <class T>
[[septran::leaf]] void rsqrt([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = T(1) / T(std::sqrt(src(i)));
}
template <class T>
[[septran::leaf]] void rsqrt([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = T(1) / T(std::sqrt(src(i, j)));
}
template <class T>
[[septran::leaf]] void rsqrt([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = T(1) / T(std::sqrt(src(i, j, k)));
}

/// dst = 1 / src.
template <class T>
[[septran::leaf]] void reciprocal([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = T(1) / src(i);
}
template <class T>
[[septran::leaf]] void reciprocal([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = T(1) / src(i, j);
}
template <class T>
[[septran::leaf]] void reciprocal([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = T(1) / src(i, j, k);
}

/// dst = the hyperbolic tangent of src.
template <class T>
[[septran::leaf]] void tanh([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = T(std::tanh(src(i)));
}
template <class T>
[[septran::leaf]] void tanh([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = T(std::tanh(src(i, j)));
}
template <class T>
[[septran::leaf]] void tanh([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = T(std::tanh(src(i, j, k)));
}

/// dst = the error function of src.
template <class T>
[[septran::leaf]] void erf([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = T(std::erf(src(i)));
}
template <class T>
[[septran::leaf]] void erf([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = T(std::erf(src(i, j)));
}
template <class T>
[[septran::leaf]] void erf([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = T(std::erf(src(i, j, k)));
}

/// dst = the sine of src, in radians.
template <class T>
[[septran::leaf]] void sin([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = T(std::sin(src(i)));
}
template <class T>
[[septran::leaf]] void sin([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = T(std::sin(src(i, j)));
}
template <class T>
[[septran::leaf]] void sin([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = T(std::sin(src(i, j, k)));
}

/// dst = the cosine of src, in radians.
template <class T>
[[septran::leaf]] void cos([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = T(std::cos(src(i)));
}
template <class T>
[[septran::leaf]] void cos([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = T(std::cos(src(i, j)));
}
template <class T>
[[septran::leaf]] void cos([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = T(std::cos(src(i, j, k)));
}

/// dst = the absolute value of src.
template <class T>
[[septran::leaf]] void abs([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = T(std::abs(src(i)));
}
template <class T>
[[septran::leaf]] void abs([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = T(std::abs(src(i, j)));
}
template <class T>
[[septran::leaf]] void abs([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = T(std::abs(src(i, j, k)));
}

/// dst = -src.
template <class T>
[[septran::leaf]] void neg([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = -src(i);
}
template <class T>
[[septran::leaf]] void neg([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = -src(i, j);
}
template <class T>
[[septran::leaf]] void neg([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = -src(i, j, k);
}

/// dst = src * src.
template <class T>
[[septran::leaf]] void square([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = src(i) * src(i);
}
template <class T>
[[septran::leaf]] void square([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = src(i, j) * src(i, j);
}
template <class T>
[[septran::leaf]] void square([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = src(i, j, k) * src(i, j, k);
}

/// dst = 1 / (1 + e^-src).
template <class T>
[[septran::leaf]] void sigmoid([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = T(1) / (T(1) + T(std::exp(-src(i))));
}
template <class T>
[[septran::leaf]] void sigmoid([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = T(1) / (T(1) + T(std::exp(-src(i, j))));
}
template <class T>
[[septran::leaf]] void sigmoid([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = T(1) / (T(1) + T(std::exp(-src(i, j, k))));
}

/// dst = max(src, 0).
template <class T>
[[septran::leaf]] void relu([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = std::max(src(i), T(0));
}
template <class T>
[[septran::leaf]] void relu([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = std::max(src(i, j), T(0));
}
template <class T>
[[septran::leaf]] void relu([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = std::max(src(i, j, k), T(0));
}

/// dst = the larger of a and b, element by element, as by std::max.
template <class T>
[[septran::leaf]] void max([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> a,
                           tensor<const T, 1> b) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = std::max(a(i), b(i));
}
template <class T>
[[septran::leaf]] void max([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> a,
                           tensor<const T, 2> b) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = std::max(a(i, j), b(i, j));
}
template <class T>
[[septran::leaf]] void max([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> a,
                           tensor<const T, 3> b) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = std::max(a(i, j, k), b(i, j, k));
}

/// dst = the smaller of a and b, element by element, as by std::min.
template <class T>
[[septran::leaf]] void min([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> a,
                           tensor<const T, 1> b) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = std::min(a(i), b(i));
}
template <class T>
[[septran::leaf]] void min([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> a,
                           tensor<const T, 2> b) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = std::min(a(i, j), b(i, j));
}
template <class T>
[[septran::leaf]] void min([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> a,
                           tensor<const T, 3> b) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = std::min(a(i, j, k), b(i, j, k));
}

} // namespace septran

#endif
