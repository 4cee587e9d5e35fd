//===- maps.h - tensors as Eigen sees them -----------------------*- C++ -*-===//
#pragma once

#include "loops.h"

#include <Eigen/Core>

#include <type_traits>

/// Rows and columns are Eigen's for elements that may be const.
template <class Matrix, class T>
using eigen_type = std::conditional_t<std::is_const_v<T>, const Matrix, Matrix>;

template <class T> auto map(const matrix<T> &A) {
  using element = std::remove_const_t<T>;
  using rows = Eigen::Matrix<element, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<eigen_type<rows, T>, 0, Eigen::OuterStride<>>(
      A.data(), A.extent(0), A.extent(1), Eigen::OuterStride<>(A.stride(0)));
}

template <class T> auto map(const vector<T> &x) {
  using column = Eigen::Matrix<std::remove_const_t<T>, Eigen::Dynamic, 1>;
  return Eigen::Map<eigen_type<column, T>>(x.data(), x.extent(0));
}
