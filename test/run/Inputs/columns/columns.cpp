// Sum, least and largest element of every column: parallel blocks of rows reduce into the same three
// vectors.
#include <septran/septran.h>

#include <algorithm>
#include <limits>

template <class T> using matrix = septran::tensor<T, 2>;
template <class T> using vector = septran::tensor<T, 1>;

[[septran::leaf]]
void column_leaf([[septran::reduce("+")]] vector<double> sum, [[septran::reduce("min")]] vector<float> low,
                 [[septran::reduce("max")]] vector<float> high, matrix<const float> x) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j) {
      sum(j) += double(x(i, j));
      low(j) = std::min(low(j), x(i, j));
      high(j) = std::max(high(j), x(i, j));
    }
}

[[septran::task]]
void column_block([[septran::reduce("+")]] vector<double> sum, [[septran::reduce("min")]] vector<float> low,
                  [[septran::reduce("max")]] vector<float> high, matrix<const float> x) {
  [[septran::tunable]] const int tile_m = 16;
  auto xp = septran::partition(x, {tile_m, x.extent(1)});
  for (auto [i] : septran::parallel(xp.extent(0)))
    column_leaf(sum, low, high, xp(i, 0));
}

[[septran::task]]
void columns([[septran::write]] matrix<float> out, matrix<const float> x) {
  [[septran::tunable]] const int tile_m = 64;
  septran::local<double, 1> sum(x.extent(1));
  septran::local<float, 1> low(x.extent(1));
  septran::local<float, 1> high(x.extent(1));
  septran::fill(sum, 0);
  septran::fill(low, std::numeric_limits<float>::infinity());
  septran::fill(high, -std::numeric_limits<float>::infinity());
  auto xp = septran::partition(x, {tile_m, x.extent(1)});
  for (auto [i] : septran::parallel(xp.extent(0)))
    column_block(sum, low, high, xp(i, 0));
  septran::convert(septran::subtensor(out, 0, septran::all), sum);
  septran::copy(septran::subtensor(out, 1, septran::all), low);
  septran::copy(septran::subtensor(out, 2, septran::all), high);
}
