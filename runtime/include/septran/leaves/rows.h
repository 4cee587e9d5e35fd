//===- leaves/rows.h - leaves along the last dimension of a tensor -------===//
//
// A row runs along the last dimension. Reductions overwrite one element per row with the
// reduction of that row, or with the reduction's identity if the row is empty; the
// rows are those of x. Sums are taken in the order of the row and in the element type
// of the result: to sum float16 in float, pass a float result.
//
// The others combine a matrix with a vector that has one element per row (`_rows`) or
// one per column (`_columns`), in place.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_LEAVES_ROWS_H
#define SEPTRAN_LEAVES_ROWS_H

#include <septran/attributes.h>
#include <septran/leaves/scalar.h>
#include <septran/tensor.h>

namespace septran {

/// m = the largest element of every row; of an empty row -infinity, or the lowest value of a type
/// without one.
template <class T>
[[septran::leaf]] void row_max([[septran::write]] tensor<T, 0> m, tensor<const T, 1> x) {
  m() = detail::lowest_value<T>;
  for (int i = 0; i < x.extent(0); ++i)
    m() = std::max(m(), x(i));
}
template <class T>
[[septran::leaf]] void row_max([[septran::write]] tensor<T, 1> m, tensor<const T, 2> x) {
  for (int i = 0; i < x.extent(0); ++i) {
    m(i) = detail::lowest_value<T>;
    for (int j = 0; j < x.extent(1); ++j)
      m(i) = std::max(m(i), x(i, j));
  }
}
template <class T>
[[septran::leaf]] void row_max([[septran::write]] tensor<T, 2> m, tensor<const T, 3> x) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j) {
      m(i, j) = detail::lowest_value<T>;
      for (int k = 0; k < x.extent(2); ++k)
        m(i, j) = std::max(m(i, j), x(i, j, k));
    }
}

/// m = the smallest element of every row; of an empty row infinity, or the highest value of a type
/// without one.
template <class T>
[[septran::leaf]] void row_min([[septran::write]] tensor<T, 0> m, tensor<const T, 1> x) {
  m() = detail::highest_value<T>;
  for (int i = 0; i < x.extent(0); ++i)
    m() = std::min(m(), x(i));
}
template <class T>
[[septran::leaf]] void row_min([[septran::write]] tensor<T, 1> m, tensor<const T, 2> x) {
  for (int i = 0; i < x.extent(0); ++i) {
    m(i) = detail::highest_value<T>;
    for (int j = 0; j < x.extent(1); ++j)
      m(i) = std::min(m(i), x(i, j));
  }
}
template <class T>
[[septran::leaf]] void row_min([[septran::write]] tensor<T, 2> m, tensor<const T, 3> x) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j) {
      m(i, j) = detail::highest_value<T>;
      for (int k = 0; k < x.extent(2); ++k)
        m(i, j) = std::min(m(i, j), x(i, j, k));
    }
}

/// s = the sum of every row, taken in S; of an empty row 0.
template <class S, class T>
[[septran::leaf]] void row_sum([[septran::write]] tensor<S, 0> s, tensor<const T, 1> x) {
  s() = S(0);
  for (int i = 0; i < x.extent(0); ++i)
    s() += S(x(i));
}
template <class S, class T>
[[septran::leaf]] void row_sum([[septran::write]] tensor<S, 1> s, tensor<const T, 2> x) {
  for (int i = 0; i < x.extent(0); ++i) {
    s(i) = S(0);
    for (int j = 0; j < x.extent(1); ++j)
      s(i) += S(x(i, j));
  }
}
template <class S, class T>
[[septran::leaf]] void row_sum([[septran::write]] tensor<S, 2> s, tensor<const T, 3> x) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j) {
      s(i, j) = S(0);
      for (int k = 0; k < x.extent(2); ++k)
        s(i, j) += S(x(i, j, k));
    }
}

/// x(i, j) += v(i): v has one element per row of x.
template <class T> [[septran::leaf]] void add_rows(tensor<T, 2> x, tensor<const T, 1> v) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j)
      x(i, j) += v(i);
}

/// x(i, j) -= v(i): v has one element per row of x.
template <class T> [[septran::leaf]] void sub_rows(tensor<T, 2> x, tensor<const T, 1> v) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j)
      x(i, j) -= v(i);
}

/// x(i, j) *= v(i): v has one element per row of x.
template <class T> [[septran::leaf]] void mul_rows(tensor<T, 2> x, tensor<const T, 1> v) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j)
      x(i, j) *= v(i);
}

/// x(i, j) /= v(i): v has one element per row of x.
template <class T> [[septran::leaf]] void div_rows(tensor<T, 2> x, tensor<const T, 1> v) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j)
      x(i, j) /= v(i);
}

/// x(i, j) += v(j): v has one element per column of x.
template <class T> [[septran::leaf]] void add_columns(tensor<T, 2> x, tensor<const T, 1> v) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j)
      x(i, j) += v(j);
}

/// x(i, j) -= v(j): v has one element per column of x.
template <class T> [[septran::leaf]] void sub_columns(tensor<T, 2> x, tensor<const T, 1> v) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j)
      x(i, j) -= v(j);
}

/// x(i, j) *= v(j): v has one element per column of x.
template <class T> [[septran::leaf]] void mul_columns(tensor<T, 2> x, tensor<const T, 1> v) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j)
      x(i, j) *= v(j);
}

/// x(i, j) /= v(j): v has one element per column of x.
template <class T> [[septran::leaf]] void div_columns(tensor<T, 2> x, tensor<const T, 1> v) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j)
      x(i, j) /= v(j);
}

} // namespace septran

#endif
