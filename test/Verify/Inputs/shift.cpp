// A leaf that behaves as MISTAKE says where OpenMP is on, as it is in mapped programs only.
#include <septran/septran.h>

#ifdef _OPENMP
#define MAPPED 1
#else
#define MAPPED 0
#endif

using vector = septran::tensor<int, 1>;

[[septran::leaf]]
void shift_leaf(vector x, int by) {
  int i = 0;
  while (i < x.extent(0)) { // not a loop that the compiler reads: the leaf is opaque
    x(i) += by;
    if (MAPPED && i == 9)
      MISTAKE;
    ++i;
  }
}

[[septran::task]]
void shift(vector x, int by) {
  auto p = septran::partition(x, {16});
  for (auto [i] : septran::parallel(p.shape()))
    shift_leaf(p(i), by);
}
