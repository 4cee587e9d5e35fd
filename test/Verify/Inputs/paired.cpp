// That both tensors are equally long, and not longer than table, is said by an opaque leaf only.
#include <septran/septran.h>

using vector = septran::tensor<int, 1>;
using const_vector = septran::tensor<const int, 1>;

[[septran::leaf]]
void look_up_leaf([[septran::write]] vector to, const_vector from, const_vector table) {
  int i = 0;
  while (i != from.extent(0)) {
    to(i) = from(i) + table(to.extent(0) - 1 - i);
    ++i;
  }
}

[[septran::task]]
void look_up([[septran::write]] vector to, const_vector from, const_vector table) {
  look_up_leaf(to, from, table);
}
