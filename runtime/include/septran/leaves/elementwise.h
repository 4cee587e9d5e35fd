//===- leaves/elementwise.h - leaves that move, convert and combine elements ===//
//
// Plain leaves: counted loops over affine accesses, with the rights of any leaf that a
// user writes, and for the compiler to understand in the same way. One overload per
// rank, 1 to 3. All tensors of a call have the extents of the first; tensors of other
// extents are a precondition violation that a checked build reports as an access out
// of bounds. Arguments may be the same tensor, but may not overlap otherwise. An extent
// is below 2^31.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_LEAVES_ELEMENTWISE_H
#define SEPTRAN_LEAVES_ELEMENTWISE_H

#include <septran/attributes.h>
#include <septran/tensor.h>

#include <type_traits>

namespace septran {

/// x = value, everywhere; also of tensors with no dimension.
template <class T>
[[septran::leaf]] void fill([[septran::write]] tensor<T, 0> x, std::type_identity_t<T> value) {
  x() = value;
}
template <class T>
[[septran::leaf]] void fill([[septran::write]] tensor<T, 1> x, std::type_identity_t<T> value) {
  for (int i = 0; i < x.extent(0); ++i)
    x(i) = value;
}
template <class T>
[[septran::leaf]] void fill([[septran::write]] tensor<T, 2> x, std::type_identity_t<T> value) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j)
      x(i, j) = value;
}
template <class T>
[[septran::leaf]] void fill([[septran::write]] tensor<T, 3> x, std::type_identity_t<T> value) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j)
      for (int k = 0; k < x.extent(2); ++k)
        x(i, j, k) = value;
}

/// dst = src.
template <class T>
[[septran::leaf]] void copy([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = src(i);
}
template <class T>
[[septran::leaf]] void copy([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = src(i, j);
}
template <class T>
[[septran::leaf]] void copy([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = src(i, j, k);
}

/// dst = src, converted to the element type of dst as by `D(s)`.
template <class D, class S>
[[septran::leaf]] void convert([[septran::write]] tensor<D, 1> dst, tensor<const S, 1> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = D(src(i));
}
template <class D, class S>
[[septran::leaf]] void convert([[septran::write]] tensor<D, 2> dst, tensor<const S, 2> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = D(src(i, j));
}
template <class D, class S>
[[septran::leaf]] void convert([[septran::write]] tensor<D, 3> dst, tensor<const S, 3> src) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = D(src(i, j, k));
}

/// dst = a + b.
template <class T>
[[septran::leaf]] void add([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> a,
                           tensor<const T, 1> b) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = a(i) + b(i);
}
template <class T>
[[septran::leaf]] void add([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> a,
                           tensor<const T, 2> b) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = a(i, j) + b(i, j);
}
template <class T>
[[septran::leaf]] void add([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> a,
                           tensor<const T, 3> b) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = a(i, j, k) + b(i, j, k);
}

/// dst = a - b.
template <class T>
[[septran::leaf]] void sub([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> a,
                           tensor<const T, 1> b) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = a(i) - b(i);
}
template <class T>
[[septran::leaf]] void sub([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> a,
                           tensor<const T, 2> b) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = a(i, j) - b(i, j);
}
template <class T>
[[septran::leaf]] void sub([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> a,
                           tensor<const T, 3> b) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = a(i, j, k) - b(i, j, k);
}

/// dst = a * b, element by element.
template <class T>
[[septran::leaf]] void mul([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> a,
                           tensor<const T, 1> b) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = a(i) * b(i);
}
template <class T>
[[septran::leaf]] void mul([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> a,
                           tensor<const T, 2> b) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = a(i, j) * b(i, j);
}
template <class T>
[[septran::leaf]] void mul([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> a,
                           tensor<const T, 3> b) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = a(i, j, k) * b(i, j, k);
}

/// dst = a / b, element by element.
template <class T>
[[septran::leaf]] void div([[septran::write]] tensor<T, 1> dst, tensor<const T, 1> a,
                           tensor<const T, 1> b) {
  for (int i = 0; i < dst.extent(0); ++i)
    dst(i) = a(i) / b(i);
}
template <class T>
[[septran::leaf]] void div([[septran::write]] tensor<T, 2> dst, tensor<const T, 2> a,
                           tensor<const T, 2> b) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      dst(i, j) = a(i, j) / b(i, j);
}
template <class T>
[[septran::leaf]] void div([[septran::write]] tensor<T, 3> dst, tensor<const T, 3> a,
                           tensor<const T, 3> b) {
  for (int i = 0; i < dst.extent(0); ++i)
    for (int j = 0; j < dst.extent(1); ++j)
      for (int k = 0; k < dst.extent(2); ++k)
        dst(i, j, k) = a(i, j, k) / b(i, j, k);
}

/// x *= s.
template <class T> [[septran::leaf]] void scale(tensor<T, 1> x, std::type_identity_t<T> s) {
  for (int i = 0; i < x.extent(0); ++i)
    x(i) *= s;
}
template <class T> [[septran::leaf]] void scale(tensor<T, 2> x, std::type_identity_t<T> s) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j)
      x(i, j) *= s;
}
template <class T> [[septran::leaf]] void scale(tensor<T, 3> x, std::type_identity_t<T> s) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j)
      for (int k = 0; k < x.extent(2); ++k)
        x(i, j, k) *= s;
}

/// y += a * x.
template <class T>
[[septran::leaf]] void axpy(tensor<T, 1> y, std::type_identity_t<T> a, tensor<const T, 1> x) {
  for (int i = 0; i < y.extent(0); ++i)
    y(i) += a * x(i);
}
template <class T>
[[septran::leaf]] void axpy(tensor<T, 2> y, std::type_identity_t<T> a, tensor<const T, 2> x) {
  for (int i = 0; i < y.extent(0); ++i)
    for (int j = 0; j < y.extent(1); ++j)
      y(i, j) += a * x(i, j);
}
template <class T>
[[septran::leaf]] void axpy(tensor<T, 3> y, std::type_identity_t<T> a, tensor<const T, 3> x) {
  for (int i = 0; i < y.extent(0); ++i)
    for (int j = 0; j < y.extent(1); ++j)
      for (int k = 0; k < y.extent(2); ++k)
        y(i, j, k) += a * x(i, j, k);
}

} // namespace septran

#endif
