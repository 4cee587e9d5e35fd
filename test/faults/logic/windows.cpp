// What copying windows must get right: halos on both sides, of different width, beyond the first and
// the last block, and what lies outside of the tensor.
#include <septran/septran.h>

using matrix = septran::tensor<float, 2>;
using const_matrix = septran::tensor<const float, 2>;

/// x starts one row and two columns before y, and ends two rows and one column behind it.
[[septran::leaf]]
void blend_leaf([[septran::write]] matrix y, const_matrix x) {
  for (int i = 0; i < y.extent(0); ++i)
    for (int j = 0; j < y.extent(1); ++j)
      y(i, j) = x(i, j + 2) + 2 * x(i + 1, j) + 3 * x(i + 3, j + 2) - x(i + 1, j + 3);
}

[[septran::task]]
void blend([[septran::write]] matrix y, const_matrix x) {
  [[septran::tunable]] const int rows = 4, columns = 6;
  auto yp = septran::partition(y, {rows, columns});
  auto xw = septran::windows(x, {rows, columns}, {rows, columns}, {1, 2}, {2, 1}, 3);
  for (auto [i, j] : septran::parallel(yp.shape()))
    blend_leaf(yp(i, j), xw(i, j));
}
