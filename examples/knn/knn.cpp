//===- knn.cpp - distances to all examples, and the nearest one: the logic --===//
//
// The product Q T^T is summed by tiles, and a tile of sums becomes distances where it lies:
// in registers, if the mapping says so. `nearest` keeps the distances of a block of queries
// to a block of examples only, and a running minimum.
//
//===----------------------------------------------------------------------===//
#include "knn/knn.h"

#include "common/gemm.h"

#include <algorithm>
#include <limits>

template <class T> using vector = septran::tensor<T, 1>;

/// norms(i) = |X(i)|^2.
[[septran::leaf]]
void squared_norms([[septran::write]] vector<float> norms, matrix<const float> X) {
  for (int i = 0; i < X.extent(0); ++i) {
    float sum = 0;
    for (int j = 0; j < X.extent(1); ++j)
      sum += X(i, j) * X(i, j);
    norms(i) = sum;
  }
}

/// The same by blocks.
[[septran::task]]
void norm_blocks([[septran::write]] vector<float> norms, matrix<const float> X) {
  [[septran::tunable]] const int tile = 64;
  auto Np = septran::partition(norms, {tile});
  auto Xp = septran::partition(X, {tile, X.extent(1)});
  for (auto [i] : septran::parallel(Np.shape()))
    squared_norms(Np(i), Xp(i, 0));
}

/// Distances from scalar products.
[[septran::leaf]]
void products_to_distances([[septran::write]] matrix<float> D, matrix<const float> products,
                           vector<const float> q_norms, vector<const float> t_norms) {
  for (int i = 0; i < D.extent(0); ++i)
    for (int j = 0; j < D.extent(1); ++j)
      D(i, j) = std::max(0.0f, q_norms(i) + t_norms(j) - 2 * products(i, j));
}

[[septran::task("distance_blocks")]]
void distance_tile([[septran::write]] matrix<float> D, matrix<const float> Q, matrix<const float> T,
                   vector<const float> q_norms, vector<const float> t_norms) {
  septran::local<float, 2> products(D.extents());
  septran::fill(products, 0);
  gemm_blocked(products, Q, septran::transpose(T));
  products_to_distances(D, products, q_norms, t_norms);
}

[[septran::task("distance_blocks")]]
void distance_blocks([[septran::write]] matrix<float> D, matrix<const float> Q,
                     matrix<const float> T, vector<const float> q_norms,
                     vector<const float> t_norms) {
  [[septran::tunable]] const int tile_m = 128, tile_n = 128;
  auto Dp = septran::partition(D, {tile_m, tile_n});
  auto Qp = septran::partition(Q, {tile_m, Q.extent(1)});
  auto Tp = septran::partition(T, {tile_n, T.extent(1)});
  auto QN = septran::partition(q_norms, {tile_m});
  auto TN = septran::partition(t_norms, {tile_n});
  for (auto [i, j] : septran::parallel(Dp.shape()))
    distance_tile(Dp(i, j), Qp(i, 0), Tp(j, 0), QN(i), TN(j));
}

[[septran::task]]
void distances([[septran::write]] matrix<float> D, matrix<const float> Q, matrix<const float> T) {
  septran::local<float, 1> q_norms(Q.extent(0)), t_norms(T.extent(0));
  norm_blocks(q_norms, Q);
  norm_blocks(t_norms, T);
  distance_blocks(D, Q, T, q_norms, t_norms);
}

/// Takes the distances to the examples from `first` on into the running minima. Along a row the
/// minimum comes first, and then the place of it.
[[septran::leaf]]
void lower_minima(vector<std::int32_t> index, vector<float> distance, matrix<const float> D,
                  int first) {
  for (int i = 0; i < D.extent(0); ++i) {
    float least = distance(i);
    for (int j = 0; j < D.extent(1); ++j)
      least = std::min(least, D(i, j));
    if (least < distance(i)) {
      std::int32_t place = std::numeric_limits<std::int32_t>::max();
      for (int j = 0; j < D.extent(1); ++j)
        place = std::min(place, D(i, j) == least ? std::int32_t(first + j)
                                                 : std::numeric_limits<std::int32_t>::max());
      index(i) = place;
      distance(i) = least;
    }
  }
}

/// A block of queries past all examples.
[[septran::task]]
void nearest_rows([[septran::write]] vector<std::int32_t> index,
                  [[septran::write]] vector<float> distance, matrix<const float> Q,
                  matrix<const float> T, vector<const float> t_norms) {
  [[septran::tunable]] const int tile_t = 256;
  septran::local<float, 1> q_norms(Q.extent(0));
  squared_norms(q_norms, Q);
  septran::fill(index, -1);
  septran::fill(distance, std::numeric_limits<float>::infinity());
  auto Tp = septran::partition(T, {tile_t, T.extent(1)});
  auto TN = septran::partition(t_norms, {tile_t});
  for (int j = 0; j < Tp.extent(0); ++j) {
    const int first = int(Tp(j, 0).origin(0) - T.origin(0));
    septran::local<float, 2> D({Q.extent(0), Tp(j, 0).extent(0)});
    distance_blocks(D, Q, Tp(j, 0), q_norms, TN(j));
    lower_minima(index, distance, D, first);
  }
}

[[septran::task]]
void nearest([[septran::write]] vector<std::int32_t> index,
             [[septran::write]] vector<float> distance, matrix<const float> Q,
             matrix<const float> T) {
  [[septran::tunable]] const int tile_q = 64;
  septran::local<float, 1> t_norms(T.extent(0));
  norm_blocks(t_norms, T);
  auto Ip = septran::partition(index, {tile_q});
  auto Dp = septran::partition(distance, {tile_q});
  auto Qp = septran::partition(Q, {tile_q, Q.extent(1)});
  for (auto [i] : septran::parallel(Ip.shape()))
    nearest_rows(Ip(i), Dp(i), Qp(i, 0), T, t_norms);
}
