// For every point the number of the nearest other point: the running best of a block of points passes
// all blocks of candidates in order, so the first of several nearest wins.
#include <septran/septran.h>

#include <cstdint>
#include <limits>

template <class T> using matrix = septran::tensor<T, 2>;
template <class T> using vector = septran::tensor<T, 1>;

[[septran::leaf]]
void distances([[septran::write]] matrix<float> d, matrix<const float> p, matrix<const float> q) {
  for (int i = 0; i < p.extent(0); ++i)
    for (int j = 0; j < q.extent(0); ++j) {
      float sum = 0;
      for (int k = 0; k < p.extent(1); ++k) {
        const float step = p(i, k) - q(j, k);
        sum += step * step;
      }
      d(i, j) = sum;
    }
}

[[septran::leaf]]
void keep_nearest(vector<std::int32_t> at, vector<float> best, matrix<const float> d, int first,
                  int shift) {
  for (int i = 0; i < d.extent(0); ++i)
    for (int j = 0; j < d.extent(1); ++j)
      if (d(i, j) < best(i) && j != i + shift) {
        best(i) = d(i, j);
        at(i) = first + j;
      }
}

[[septran::task]]
void nearest_block([[septran::write]] vector<std::int32_t> at, matrix<const float> p,
                   matrix<const float> all) {
  [[septran::tunable]] const int tile_q = 32;
  septran::local<float, 1> best(at.extents());
  septran::fill(best, std::numeric_limits<float>::infinity());
  septran::fill(at, -1);
  auto Qp = septran::partition(all, {tile_q, all.extent(1)});
  for (int j = 0; j < Qp.extent(0); ++j) {
    auto q = Qp(j, 0);
    septran::local<float, 2> d({p.extent(0), q.extent(0)});
    distances(d, p, q);
    keep_nearest(at, best, d, int(q.origin(0)), int(p.origin(0) - q.origin(0)));
  }
}

[[septran::task]]
void nearest([[septran::write]] vector<std::int32_t> at, matrix<const float> points) {
  [[septran::tunable]] const int tile_p = 16;
  auto ap = septran::partition(at, {tile_p});
  auto pp = septran::partition(points, {tile_p, points.extent(1)});
  for (auto [i] : septran::parallel(ap.shape()))
    nearest_block(ap(i), pp(i, 0), points);
}
