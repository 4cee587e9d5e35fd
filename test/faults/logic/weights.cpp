// What reading windows in place must get right over register tiles: what lies outside is 0, and counts where weights
// are no numbers; products of two reads have a fill that is not 0.
#include <septran/septran.h>

template <class T> using matrix = septran::tensor<T, 2>;
template <class T> using cube = septran::tensor<T, 3>;

[[septran::leaf]]
void weigh(cube<float> y, cube<const float> x, cube<const float> w) {
  for (int i = 0; i < y.extent(0); ++i)
    for (int j = 0; j < y.extent(1); ++j)
      for (int c = 0; c < y.extent(2); ++c)
        for (int r = 0; r < w.extent(0); ++r)
          for (int s = 0; s < w.extent(1); ++s)
            y(i, j, c) += x(i + r, j + s, c) * w(r, s, c);
}

[[septran::task]]
void weigh_tile([[septran::write]] cube<float> y, cube<const float> x, cube<const float> w) {
  septran::local<float, 3> sums(y.extents());
  septran::fill(sums, 0);
  weigh(sums, x, w);
  septran::copy(y, sums);
}

[[septran::task]]
void weighted([[septran::write]] cube<float> y, cube<const float> x, cube<const float> w) {
  [[septran::tunable]] const int rows = 1, columns = 4, channels = 8;
  const int high = int(w.extent(0)) - 1, right = int(w.extent(1)) - 1;
  auto yp = septran::partition(y, {rows, columns, channels});
  auto xw = septran::windows(x, {rows, columns, channels}, {rows, columns, channels}, {1, 1, 0},
                             {high, right, 0});
  auto wp = septran::partition(w, {w.extent(0), w.extent(1), channels});
  for (auto [i, j, c] : septran::parallel(yp.shape()))
    weigh_tile(yp(i, j, c), xw(i, j, c), wp(0, 0, c));
}

[[septran::leaf]]
void multiply_pairs(matrix<float> y, matrix<const float> x) {
  for (int i = 0; i < y.extent(0); ++i)
    for (int c = 0; c < y.extent(1); ++c)
      y(i, c) += x(i, c) * x(i + 2, c);
}

[[septran::task]]
void pairs_tile([[septran::write]] matrix<float> y, matrix<const float> x) {
  septran::local<float, 2> sums(y.extents());
  septran::fill(sums, 0);
  multiply_pairs(sums, x);
  septran::copy(y, sums);
}

[[septran::task]]
void pairs([[septran::write]] matrix<float> y, matrix<const float> x) {
  [[septran::tunable]] const int rows = 4, columns = 8;
  auto yp = septran::partition(y, {rows, columns});
  auto xw = septran::windows(x, {rows, columns}, {rows, columns}, {1, 0}, {1, 0}, 3.0f);
  for (auto [i, c] : septran::parallel(yp.shape()))
    pairs_tile(yp(i, c), xw(i, c));
}
