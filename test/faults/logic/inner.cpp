// Implied variants of leaves whose loops have bounds of their own: what lies within the edges of a matrix,
// two loops to the same extent, of which one is cut, and loops after each other, not all of them over the same.
#include <septran/septran.h>

template <class T> using vector = septran::tensor<T, 1>;
template <class T> using matrix = septran::tensor<T, 2>;

[[septran::leaf]] void relax_leaf(matrix<float> Y, matrix<const float> X) {
  for (int i = 1; i < Y.extent(0) - 1; ++i)
    for (int j = 2; j < Y.extent(1) - 1; ++j)
      Y(i, j) += X(i - 1, j) + X(i + 1, j) + X(i, j - 2) + X(i, j + 1);
}
[[septran::leaf]] void times_leaf(vector<float> y, matrix<const float> A, vector<const float> x) {
  const int n = A.extent(0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      y(i) += A(i, 2 * j) * x(j + 1);
}
[[septran::leaf]] void edges_leaf(matrix<float> Z, matrix<const float> X) {
  const float share = 1.0F / float(X.extent(0));
  for (int i = 0; i < Z.extent(0); ++i)
    for (int j = 0; j < Z.extent(1); ++j)
      Z(i, j) = X(i, j);
  for (int i = 0; i < Z.extent(0); ++i)
    for (int j = 1; j < Z.extent(1); ++j)
      Z(i, j) += share * X(i, j - 1);
}
[[septran::task]]
void inner(matrix<float> Y, matrix<float> Z, matrix<const float> X, vector<float> y, matrix<const float> A,
           vector<const float> x) {
  relax_leaf(Y, X);
  edges_leaf(Z, X);
  times_leaf(y, A, x);
}
