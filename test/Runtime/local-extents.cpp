// The extents of locals of one dimension, in all spellings, without a warning.
// RUN: %gxx -std=c++20 -Wall -Wextra -Werror -I %septran_include -fsyntax-only %s
// RUN: %clangxx -std=c++20 -Wall -Wextra -Werror -I %septran_include -fsyntax-only %s
// RUN: %clangxx -std=c++20 -Wall -Wextra -Werror -DSEPTRAN_CHECKED -I %septran_include -fsyntax-only %s
#include <septran/septran.h>

void spell(septran::tensor<const float, 1> x, int n, long m) {
  septran::local<float, 1> a({2}), b({n}), c(n), d({m}), e(5);
  septran::local<float, 1> f({x.extent(0)}), g(x.extents()), h({x.extent(0) / 2 + 1});
  septran::local<float, 2> i({2, n});
}
