// T(b, i, j) = x(b, i) * y(b, j): batches by subtensors, blocks of rows and columns within.
#include <septran/septran.h>

template <class T, int R> using tensor = septran::tensor<T, R>;

[[septran::leaf]]
void outer_leaf([[septran::write]] tensor<double, 2> t, tensor<const double, 1> x,
                tensor<const double, 1> y) {
  for (int j = 0; j < y.extent(0); ++j)
    for (int i = 0; i < x.extent(0); ++i)
      t(i, j) = x(i) * y(j);
}

[[septran::task]]
void outer_one([[septran::write]] tensor<double, 2> T, tensor<const double, 1> x,
               tensor<const double, 1> y) {
  [[septran::tunable]] const int tile_i = 32, tile_j = 32;
  auto Tp = septran::partition(T, {tile_i, tile_j});
  auto xp = septran::partition(x, {tile_i});
  auto yp = septran::partition(y, {tile_j});
  for (auto [i, j] : septran::parallel(Tp.shape()))
    outer_leaf(Tp(i, j), xp(i), yp(j));
}

[[septran::task]]
void outer([[septran::write]] tensor<double, 3> T, tensor<const double, 2> x,
           tensor<const double, 2> y) {
  for (auto [b] : septran::parallel(T.extent(0)))
    outer_one(septran::subtensor(T, b, septran::all, septran::all),
              septran::subtensor(x, b, septran::all), septran::subtensor(y, b, septran::all));
}
