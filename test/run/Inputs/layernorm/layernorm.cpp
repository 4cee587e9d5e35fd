// Rows of 16-bit floats to mean 0 and variance 1, then scaled and shifted per column. Mean and
// variance are tensors of a block of rows, made by separate leaves.
#include <septran/leaves.h>

template <class T> using matrix = septran::tensor<T, 2>;
template <class T> using vector = septran::tensor<T, 1>;
using half = septran::float16;

[[septran::leaf]]
void row_means([[septran::write]] vector<float> mean, matrix<const half> x) {
  for (int i = 0; i < x.extent(0); ++i) {
    float sum = 0;
    for (int j = 0; j < x.extent(1); ++j)
      sum += float(x(i, j));
    mean(i) = sum / float(x.extent(1));
  }
}

[[septran::leaf]]
void row_scales([[septran::write]] vector<float> factor, matrix<const half> x,
                vector<const float> mean) {
  for (int i = 0; i < x.extent(0); ++i) {
    float sum = 0;
    for (int j = 0; j < x.extent(1); ++j) {
      const float d = float(x(i, j)) - mean(i);
      sum += d * d;
    }
    factor(i) = 1 / std::sqrt(sum / float(x.extent(1)) + 1e-3f);
  }
}

[[septran::leaf]]
void normalise([[septran::write]] matrix<half> y, matrix<const half> x, vector<const float> mean,
               vector<const float> factor, vector<const half> gain, vector<const float> shift) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j)
      y(i, j) = half((float(x(i, j)) - mean(i)) * factor(i) * float(gain(j)) + shift(j));
}

[[septran::task]]
void layernorm([[septran::write]] matrix<half> y, matrix<const half> x, vector<const half> gain,
               vector<const float> shift) {
  [[septran::tunable]] const int tile_m = 8;
  auto yp = septran::partition(y, {tile_m, y.extent(1)});
  auto xp = septran::partition(x, {tile_m, x.extent(1)});
  for (auto [i] : septran::parallel(yp.extent(0))) {
    septran::local<float, 1> mean(xp(i, 0).extent(0));
    septran::local<float, 1> factor(xp(i, 0).extent(0));
    row_means(mean, xp(i, 0));
    row_scales(factor, xp(i, 0), mean);
    normalise(yp(i, 0), xp(i, 0), mean, factor, gain, shift);
  }
}
