//===- decode.cpp - attention of one new token to a long cache: the logic ---===//
//
// There are too few queries to keep processors busy, so the cache is split (T. Dao et al.,
// Flash-Decoding for long-context inference, 2023): every part is seen by the heads that
// share it, and leaves their maxima, sums and unfinished outputs behind. A second loop
// combines the parts of each head.
//
//===----------------------------------------------------------------------===//
#include "decode/decode.h"

#include "common/gemm.h"

#include <algorithm>
#include <cmath>
#include <limits>

template <class T> using vector = septran::tensor<T, 1>;
template <class T> using tensor3 = septran::tensor<T, 3>;
template <class T> using tensor4 = septran::tensor<T, 4>;

/// The largest scaled score of every row, the weights below it, and their sums.
[[septran::leaf]]
void part_weights(matrix<float> s, [[septran::write]] vector<float> top,
                  [[septran::write]] vector<float> sum, float scale) {
  for (int i = 0; i < s.extent(0); ++i) {
    float best = std::numeric_limits<float>::lowest();
    for (int j = 0; j < s.extent(1); ++j)
      best = std::max(best, scale * s(i, j));
    float total = 0;
    for (int j = 0; j < s.extent(1); ++j) {
      const float weight = std::exp(scale * s(i, j) - best);
      s(i, j) = weight;
      total += weight;
    }
    top(i) = best;
    sum(i) = total;
  }
}

/// One part of the cache, for all heads that share it: a row per head.
[[septran::task]]
void decode_part([[septran::write]] matrix<float> acc, [[septran::write]] vector<float> top,
                 [[septran::write]] vector<float> sum, matrix<const float> Q, matrix<const float> K,
                 matrix<const float> V, float scale) {
  septran::local<float, 2> s({Q.extent(0), K.extent(0)});
  septran::fill(s, 0);
  gemm_blocked(s, Q, septran::transpose(K));
  part_weights(s, top, sum, scale);
  septran::fill(acc, 0);
  gemm_blocked(acc, s, V);
}

/// The parts of one head. Turns `top` into the factors of the parts.
[[septran::leaf]]
void combine_parts([[septran::write]] vector<float> O, matrix<const float> acc, vector<float> top,
                   vector<const float> sum) {
  float best = std::numeric_limits<float>::lowest();
  for (int p = 0; p < top.extent(0); ++p)
    best = std::max(best, top(p));
  float total = 0;
  for (int p = 0; p < top.extent(0); ++p) {
    top(p) = std::exp(top(p) - best);
    total += top(p) * sum(p);
  }
  for (int d = 0; d < O.extent(0); ++d) {
    float weighted = 0;
    for (int p = 0; p < top.extent(0); ++p)
      weighted += top(p) * acc(p, d);
    O(d) = total > 0.0f ? weighted / total : 0.0f;
  }
}

[[septran::task]]
void decode([[septran::write]] tensor3<float> O, tensor3<const float> Q, tensor4<const float> K,
            tensor4<const float> V, float scale) {
  [[septran::tunable]] const int tile_kv = 256;
  const int group = int(Q.extent(1) / K.extent(1));
  auto Qp = septran::partition(Q, {1, group, Q.extent(2)});
  auto Kp = septran::partition(K, {1, 1, tile_kv, K.extent(3)});
  auto Vp = septran::partition(V, {1, 1, tile_kv, V.extent(3)});
  septran::local<float, 4> acc({Q.extent(0), Q.extent(1), Kp.extent(2), O.extent(2)});
  septran::local<float, 3> top({Q.extent(0), Q.extent(1), Kp.extent(2)});
  septran::local<float, 3> sum({Q.extent(0), Q.extent(1), Kp.extent(2)});
  auto Ap = septran::partition(acc, {1, group, 1, O.extent(2)});
  auto Tp = septran::partition(top, {1, group, 1});
  auto Sp = septran::partition(sum, {1, group, 1});
  for (auto [b, g, p] : septran::parallel(Kp.extent(0), Kp.extent(1), Kp.extent(2)))
    decode_part(septran::subtensor(Ap(b, g, p, 0), 0, septran::all, 0, septran::all),
                septran::subtensor(Tp(b, g, p), 0, septran::all, 0),
                septran::subtensor(Sp(b, g, p), 0, septran::all, 0),
                septran::subtensor(Qp(b, g, 0), 0, septran::all, septran::all),
                septran::subtensor(Kp(b, g, p, 0), 0, 0, septran::all, septran::all),
                septran::subtensor(Vp(b, g, p, 0), 0, 0, septran::all, septran::all), scale);
  for (auto [b, h] : septran::parallel(O.extent(0), O.extent(1)))
    combine_parts(septran::subtensor(O, b, h, septran::all),
                  septran::subtensor(acc, b, h, septran::all, septran::all),
                  septran::subtensor(top, b, h, septran::all),
                  septran::subtensor(sum, b, h, septran::all));
}
