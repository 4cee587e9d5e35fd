// Largest unmasked element of the first `limit` of every row, over blocks of columns in order; rows
// without one give -1000. Blocks beyond the limit are skipped.
#include <septran/septran.h>

#include <algorithm>
#include <cstdint>

template <class T> using matrix = septran::tensor<T, 2>;
template <class T> using vector = septran::tensor<T, 1>;

[[septran::leaf]]
void masked_leaf(vector<float> best, matrix<const float> x, matrix<const std::int8_t> mask,
                 float threshold, int count) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j)
      if (j < count && mask(i, j) != 0 && x(i, j) < threshold)
        best(i) = std::max(best(i), x(i, j));
}

[[septran::task]]
void masked_rows(vector<float> best, matrix<const float> x, matrix<const std::int8_t> mask,
                 float threshold, int limit) {
  [[septran::tunable]] const int tile_n = 32;
  auto xp = septran::partition(x, {x.extent(0), tile_n});
  auto mp = septran::partition(mask, {mask.extent(0), tile_n});
  for (int j = 0; j < xp.extent(1); ++j) {
    const int count = limit - int(xp(0, j).origin(1));
    if (count <= 0)
      continue;
    masked_leaf(best, xp(0, j), mp(0, j), threshold, count);
  }
}

[[septran::task]]
void masked([[septran::write]] vector<float> best, matrix<const float> x,
            matrix<const std::int8_t> mask, float threshold, int limit) {
  [[septran::tunable]] const int tile_m = 16;
  septran::fill(best, -1000);
  auto bp = septran::partition(best, {tile_m});
  auto xp = septran::partition(x, {tile_m, x.extent(1)});
  auto mp = septran::partition(mask, {tile_m, mask.extent(1)});
  for (auto [i] : septran::parallel(bp.shape()))
    masked_rows(bp(i), xp(i, 0), mp(i, 0), threshold, limit);
}
