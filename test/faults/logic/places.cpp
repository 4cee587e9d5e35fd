// What placing, streaming, hoisting and merging copies decide, on whole numbers: vectors that change
// between the launches that read them, elements that a launch leaves alone, blocks within panels.
#include <septran/septran.h>

using matrix = septran::tensor<int, 2>;
using const_matrix = septran::tensor<const int, 2>;
using vector = septran::tensor<int, 1>;
using const_vector = septran::tensor<const int, 1>;

[[septran::leaf]]
void add_rows(matrix y, const_vector v) {
  for (int i = 0; i < y.extent(0); ++i)
    for (int j = 0; j < y.extent(1); ++j)
      y(i, j) += v(j);
}

[[septran::leaf]]
void raise(vector v) {
  for (int j = 0; j < v.extent(0); ++j)
    v(j) += j + 1;
}

[[septran::leaf]]
void mirror(vector v) {
  for (int j = 0; j < v.extent(0); ++j)
    v(j) = 3 - 2 * v(j);
}

/// Leaves every second element as it was.
[[septran::leaf]]
void set_even([[septran::write]] matrix y, const_vector v) {
  for (int i = 0; i < y.extent(0); ++i)
    for (int j = 0; j < y.extent(1); ++j)
      if ((i + j) % 2 == 0)
        y(i, j) = v(j);
}

[[septran::task]]
void change_rows(matrix y, const_vector v) {
  [[septran::tunable]] const int rows = 4;
  auto yp = septran::partition(y, {rows, y.extent(1)});
  for (int i = 0; i < yp.extent(0); ++i) {
    set_even(yp(i, 0), v);
    add_rows(yp(i, 0), v);
  }
}

/// a, mirrored at its diagonal, takes part as a whole.
[[septran::leaf]]
void add_whole(matrix y, const_matrix a) {
  for (int i = 0; i < y.extent(0); ++i)
    for (int j = 0; j < y.extent(1); ++j)
      y(i, j) += (i + 1) * a(i, j);
}

/// y(i, j) -= sum over k of a(i, k) * b(k, j)
[[septran::leaf]]
void subtract_product(matrix y, const_matrix a, const_matrix b) {
  for (int i = 0; i < y.extent(0); ++i)
    for (int k = 0; k < a.extent(1); ++k)
      for (int j = 0; j < y.extent(1); ++j)
        y(i, j) -= a(i, k) * b(k, j);
}

[[septran::task]]
void subtract_blocks(matrix y, const_matrix a, const_matrix b) {
  [[septran::tunable]] const int rows = 3, columns = 3, inner = 5;
  auto yp = septran::partition(y, {rows, columns});
  auto ap = septran::partition(a, {rows, inner});
  auto bp = septran::partition(b, {inner, columns});
  for (int i = 0; i < yp.extent(0); ++i)
    for (int j = 0; j < yp.extent(1); ++j)
      for (int k = 0; k < ap.extent(1); ++k)
        subtract_product(yp(i, j), ap(i, k), bp(k, j));
}

[[septran::task]]
void places(matrix y, vector v, const_matrix a, const_matrix b,
            const_matrix a_turned, int steps) {
  [[septran::tunable]] const int rows = 7;
  mirror(v);
  raise(v);
  for (int s = 0; s < steps; ++s) {
    add_rows(y, v);
    raise(v);
    mirror(v);
    add_rows(y, v);
    change_rows(y, v);
  }
  auto yp = septran::partition(y, {rows, y.extent(1)});
  auto ap = septran::partition(a, {rows, a.extent(1)});
  for (auto [i] : septran::parallel(yp.extent(0)))
    subtract_blocks(yp(i, 0), ap(i, 0), septran::transpose(b));
  add_whole(y, septran::transpose(a_turned));
}
