// Rows divided by the root of their mean square, in leaves that a vector unit has commands for.
#include <septran/leaves.h>
#include <septran/septran.h>

#include <cmath>

template <class T> using matrix = septran::tensor<T, 2>;
template <class T> using vector = septran::tensor<T, 1>;

/// From the sum of squares of n elements to the factor of the row.
[[septran::leaf]]
void factor(vector<float> sum, int n, float epsilon) {
  for (int i = 0; i < sum.extent(0); ++i)
    sum(i) = 1.0f / std::sqrt(sum(i) / float(n) + epsilon);
}

[[septran::task]]
void block([[septran::write]] matrix<float> y, matrix<const float> x, vector<const float> weight,
           float epsilon) {
  septran::local<float, 2> squares(x.extents());
  septran::local<float, 1> sums(x.extent(0));
  septran::mul(squares, x, x);
  septran::row_sum(sums, squares);
  factor(sums, int(x.extent(1)), epsilon);
  septran::copy(y, x);
  septran::mul_rows(y, sums);
  septran::mul_columns(y, weight);
}

[[septran::task]]
void rmsnorm([[septran::write]] matrix<float> y, matrix<const float> x, vector<const float> weight,
             float epsilon) {
  [[septran::tunable]] const int tile = 16;
  auto yp = septran::partition(y, {tile, y.extent(1)});
  auto xp = septran::partition(x, {tile, x.extent(1)});
  for (auto [i] : septran::parallel(yp.extent(0)))
    block(yp(i, 0), xp(i, 0), weight, epsilon);
}
