// A small program for tests of the command line.
#include <septran/septran.h>

using vector = septran::tensor<float, 1>;

[[septran::leaf]]
void scale_leaf(vector x, float by) {
  for (int i = 0; i < x.extent(0); ++i)
    x(i) *= by;
}

[[septran::task]]
void scale(vector x, float by) {
  [[septran::tunable]] const int tile = 64;
  auto p = septran::partition(x, {tile});
  for (auto [i] : septran::parallel(p.extent(0)))
    scale_leaf(p(i), by);
}
