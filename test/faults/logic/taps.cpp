// Taps that lie outside, with a condition around the loop that sums.
#include <septran/septran.h>
using matrix = septran::tensor<float, 2>;
using const_matrix = septran::tensor<const float, 2>;
using weights = septran::tensor<const float, 3>;

[[septran::leaf]]
void padded_leaf([[septran::write]] matrix y, const_matrix x, weights w, int pad) {
  for (int t = 0; t < y.extent(0); ++t)
    for (int o = 0; o < y.extent(1); ++o) {
      float sum = 0;
      for (int r = 0; r < w.extent(0); ++r)
        if (t + r - pad >= 0 && t + r - pad < x.extent(0))
          for (int c = 0; c < w.extent(1); ++c)
            sum += x(t + r - pad, c) * w(r, c, o);
      y(t, o) = sum;
    }
}

[[septran::task]]
void padded([[septran::write]] matrix y, const_matrix x, weights w, int pad) {
  padded_leaf(y, x, w, pad);
}
