// Rotary position embedding, in place: pairs of neighbouring columns turn by an angle that grows with
// the row's position in the whole sequence.
#include <septran/septran.h>

#include <cmath>

template <class T> using matrix = septran::tensor<T, 2>;

[[septran::leaf]]
void rotate_leaf(matrix<float> x, int first, float step) {
  for (int t = 0; t < x.extent(0); ++t)
    for (int p = 0; p < x.extent(1) / 2; ++p) {
      const float angle = float(first + t) * std::exp(-step * float(p));
      const float c = std::cos(angle), s = std::sin(angle);
      const float even = x(t, 2 * p), odd = x(t, 2 * p + 1);
      x(t, 2 * p) = even * c - odd * s;
      x(t, 2 * p + 1) = even * s + odd * c;
    }
}

[[septran::task]]
void rotary(matrix<float> x, float step) {
  [[septran::tunable]] const int tile_t = 16;
  auto xp = septran::partition(x, {tile_t, x.extent(1)});
  for (auto [i] : septran::parallel(xp.extent(0))) {
    const int first = int(xp(i, 0).origin(0));
    rotate_leaf(xp(i, 0), first, step);
  }
}
