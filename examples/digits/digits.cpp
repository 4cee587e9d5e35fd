//===- digits.cpp - classification by nearest neighbours: the logic ----------===//
//
// Squared distances come from one matrix product: |q - t|^2 = |q|^2 + |t|^2 - 2 q.t.
// The vote sorts, so it is a leaf that the compiler leaves as it stands.
//
//===----------------------------------------------------------------------===//
#include "digits/digits.h"

#include "common/gemm.h"

#include <algorithm>
#include <utility>
#include <vector>

template <class T> using vector = septran::tensor<T, 1>;

/// norms(i) = |x(i)|^2.
[[septran::leaf]]
void squared_norms([[septran::write]] vector<float> norms, matrix<const float> x) {
  for (int i = 0; i < x.extent(0); ++i) {
    float sum = 0;
    for (int j = 0; j < x.extent(1); ++j)
      sum += x(i, j) * x(i, j);
    norms(i) = sum;
  }
}

/// Turns scalar products into squared distances.
[[septran::leaf]]
void products_to_distances(matrix<float> d, vector<const float> query_norms,
                           vector<const float> train_norms) {
  for (int i = 0; i < d.extent(0); ++i)
    for (int j = 0; j < d.extent(1); ++j)
      d(i, j) = query_norms(i) + train_norms(j) - 2 * d(i, j);
}

/// Labels from distances.
[[septran::leaf]]
void vote([[septran::write]] vector<std::int32_t> labels, matrix<const float> distances,
          vector<const std::int32_t> train_labels, int neighbours) {
  const auto count = static_cast<std::size_t>(distances.extent(1));
  const std::size_t voters = std::min(static_cast<std::size_t>(std::max(neighbours, 0)), count);
  std::vector<std::pair<float, int>> order(count);
  for (int i = 0; i < distances.extent(0); ++i) {
    for (std::size_t j = 0; j < count; ++j)
      order[j] = {distances(i, static_cast<int>(j)), static_cast<int>(j)};
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(voters),
                      order.end());
    std::int32_t winner = -1;
    std::size_t most = 0;
    for (std::size_t a = 0; a < voters; ++a) {
      const std::int32_t label = train_labels(order[a].second);
      std::size_t votes = 0;
      for (std::size_t b = 0; b < voters; ++b)
        votes += train_labels(order[b].second) == label ? 1u : 0u;
      if (votes > most) {
        most = votes;
        winner = label;
      }
    }
    labels(i) = winner;
  }
}

/// One block of queries.
[[septran::task]]
void classify_block([[septran::write]] vector<std::int32_t> labels, matrix<const float> queries,
                    matrix<const float> train, vector<const float> train_norms,
                    vector<const std::int32_t> train_labels, int neighbours) {
  septran::local<float, 1> query_norms(queries.extent(0));
  septran::local<float, 2> distances({queries.extent(0), train.extent(0)});
  squared_norms(query_norms, queries);
  matmul_blocks(distances, queries, septran::transpose(train));
  products_to_distances(distances, query_norms, train_norms);
  vote(labels, distances, train_labels, neighbours);
}

[[septran::task]]
void classify([[septran::write]] vector<std::int32_t> labels, matrix<const float> queries,
              matrix<const float> train, vector<const std::int32_t> train_labels, int neighbours) {
  [[septran::tunable]] const int tile_q = 64;
  septran::local<float, 1> train_norms(train.extent(0));
  squared_norms(train_norms, train);
  auto Lp = septran::partition(labels, {tile_q});
  auto Qp = septran::partition(queries, {tile_q, queries.extent(1)});
  for (auto [i] : septran::parallel(Lp.shape()))
    classify_block(Lp(i), Qp(i, 0), train, train_norms, train_labels, neighbours);
}
