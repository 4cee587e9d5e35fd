// A family of two variants, the blocked one with a mistake if LOST is not 0.
#include <septran/septran.h>

using vector = septran::tensor<float, 1>;
using matrix = septran::tensor<const float, 2>;

[[septran::leaf("sums")]]
void sums_leaf(vector s, matrix x) {
  for (int i = 0; i < s.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j)
      s(i) += x(i, j);
}

[[septran::task("sums")]]
void sums_blocked(vector s, matrix x) {
  [[septran::tunable]] const int tile = 4;
  auto xp = septran::partition(x, {x.extent(0), tile});
  for (int j = 0; j < int(xp.extent(1)) - LOST; ++j)
    sums_leaf(s, xp(0, j));
}

[[septran::task]]
void sums_of_rows([[septran::write]] vector s, matrix x) {
  septran::fill(s, 0);
  sums_blocked(s, x);
}
