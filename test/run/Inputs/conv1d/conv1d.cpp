// y(t, o) = sum of x(t + r * dilation, c) * w(r, c, o): windows over a sequence, padded with 0.5.
#include <septran/septran.h>

template <class T, int R> using tensor = septran::tensor<T, R>;

[[septran::leaf]]
void taps_leaf(tensor<float, 2> y, tensor<const float, 2> x, tensor<const float, 3> w,
               int dilation) {
  for (int t = 0; t < y.extent(0); ++t)
    for (int o = 0; o < y.extent(1); ++o)
      for (int r = 0; r < w.extent(0); ++r)
        for (int c = 0; c < w.extent(1); ++c)
          y(t, o) += x(t + r * dilation, c) * w(r, c, o);
}

[[septran::task]]
void conv1d([[septran::write]] tensor<float, 2> y, tensor<const float, 2> x,
            tensor<const float, 3> w, int dilation) {
  [[septran::tunable]] const int tile_t = 32, tile_o = 16;
  // As many outputs as inputs: the taps reach back only.
  const int reach = (int(w.extent(0)) - 1) * dilation;
  auto yp = septran::partition(y, {tile_t, tile_o});
  auto xw = septran::windows(x, {tile_t, x.extent(1)}, {tile_t, x.extent(1)}, {reach, 0}, {0, 0},
                             0.5f);
  auto wp = septran::partition(w, {w.extent(0), w.extent(1), tile_o});
  for (auto [t, o] : septran::parallel(yp.shape())) {
    septran::fill(yp(t, o), 0);
    taps_leaf(yp(t, o), xw(t, 0), wp(0, 0, o), dilation);
  }
}
