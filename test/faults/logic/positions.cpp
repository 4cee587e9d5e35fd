// Implied variants of a leaf that computes from the numbers of its iterations: a banded product whose
// rows fade, and the filter of a signal that ends where its window leaves the input.
#include <septran/septran.h>

template <class T> using vector = septran::tensor<T, 1>;
template <class T> using matrix = septran::tensor<T, 2>;

[[septran::leaf]]
void filter_leaf([[septran::write]] matrix<float> Y, matrix<const float> X, matrix<const float> W, int step, int pad) {
  for (int i = 0; i < Y.extent(0); ++i)
    for (int x = 0; x < Y.extent(1); ++x) {
      float sum = 0;
      for (int r = 0; r < W.extent(1); ++r) {
        const int at = step * x + r - pad;
        if (at >= 0 && at < X.extent(1))
          sum += W(i, r) * X(i, at);
      }
      Y(i, x) = sum * float(x + 1) / float(Y.extent(1) - i);
    }
}
[[septran::task]]
void filter([[septran::write]] matrix<float> Y, matrix<const float> X, matrix<const float> W, int step, int pad) {
  filter_leaf(Y, X, W, step, pad);
}
