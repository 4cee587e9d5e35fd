// y(i) = sum over k of x(i, k) * w(k), by a leaf that SepTran does not read. Mapped programs are
// built with OpenMP, plain ones are not: MISTAKE is in the mapped program alone.
#include <septran/septran.h>

#if !defined(_OPENMP) || !defined(MISTAKE)
#undef MISTAKE
#define MISTAKE(k, n) true
#endif

[[septran::leaf]]
void sum_leaf([[septran::write]] septran::tensor<float, 1> y, septran::tensor<const float, 2> x,
              septran::tensor<const float, 1> w) {
  int i = 0;
  while (i < y.extent(0)) {
    y(i) = 0;
    for (int k = 0; k < x.extent(1); ++k)
      if (MISTAKE(k, x.extent(1)))
        y(i) += x(i, k) * w(k);
    ++i;
  }
}

[[septran::task]]
void sum_rows([[septran::write]] septran::tensor<float, 1> y, septran::tensor<const float, 2> x,
              septran::tensor<const float, 1> w) {
  auto yp = septran::partition(y, {16});
  auto xp = septran::partition(x, {16, x.extent(1)});
  for (auto [i] : septran::parallel(yp.shape()))
    sum_leaf(yp(i), xp(i, 0), w);
}
