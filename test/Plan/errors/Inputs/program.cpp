// The program of the mappings in this folder: a product by rows, and what else mistakes are made with.
#include <septran/septran.h>

template <class T> using matrix = septran::tensor<T, 2>;
template <class T> using vector = septran::tensor<T, 1>;

template <class T>
[[septran::leaf("product")]]
void product_leaf(matrix<T> C, matrix<const T> A, matrix<const T> B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      for (int k = 0; k < A.extent(1); ++k)
        C(i, j) += A(i, k) * B(k, j);
}

/// By blocks of the inner dimension.
[[septran::task("product")]]
void product_blocks(matrix<float> C, matrix<const float> A, matrix<const float> B) {
  [[septran::tunable]] const int tile_k = 32;
  auto Ap = septran::partition(A, {A.extent(0), tile_k});
  auto Bp = septran::partition(B, {tile_k, B.extent(1)});
  for (int k = 0; k < Ap.extent(1); ++k)
    product_leaf(C, Ap(0, k), Bp(k, 0));
}

/// Another variant, for doubles only.
[[septran::task("product")]]
void product_f64(matrix<double> C, matrix<const double> A, matrix<const double> B) {
  product_leaf(C, A, B);
}

/// Running sums: every element needs the one before it.
[[septran::leaf]]
void running_sum(vector<float> x) {
  for (int i = 1; i < x.extent(0); ++i)
    x(i) += x(i - 1);
}

/// One block of rows, in a local.
[[septran::task]]
void some_rows([[septran::write]] matrix<float> C, matrix<const float> A, matrix<const float> B) {
  septran::local<float, 2> sum(C.extents());
  septran::fill(sum, 0.0f);
  product_blocks(sum, A, B);
  product_leaf(sum, A, B);
  septran::copy(C, sum);
}

/// The entry point.
[[septran::task]]
void top([[septran::write]] matrix<float> C, matrix<const float> A, matrix<const float> B) {
  [[septran::tunable]] const int tile_m = 64;
  auto Cp = septran::partition(C, {tile_m, C.extent(1)});
  auto Ap = septran::partition(A, {tile_m, A.extent(1)});
  for (auto [i] : septran::parallel(Cp.extent(0)))
    some_rows(Cp(i, 0), Ap(i, 0), B);
}

/// An entry point for the running sums.
[[septran::task]]
void sums(vector<float> x) {
  running_sum(x);
}

/// A template is no entry point.
template <class T>
[[septran::task]]
void generic(matrix<T> C) {
  septran::fill(C, T(0));
}

/// One that uses its tunable as a number.
[[septran::task]]
void numbers(matrix<float> C) {
  [[septran::tunable]] const int value = 64;
  septran::fill(C, float(value));
  generic(C);
}
