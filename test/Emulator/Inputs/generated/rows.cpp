// Rows that warps share: a maximum by shuffles, an element that one lane writes for all, a sum of blocks.
#include "check.h"
#include <septran/septran.h>

template <class T> using matrix = septran::tensor<T, 2>;
template <class T> using vector = septran::tensor<T, 1>;

/// Divides rows by their largest value, which passes through m.
[[septran::leaf]]
void scale_rows(matrix<float> X, [[septran::write]] vector<float> m) {
  for (int i = 0; i < X.extent(0); ++i) {
    float top = -1000;
    for (int j = 0; j < X.extent(1); ++j)
      top = std::max(top, X(i, j));
    m(i) = top;
    for (int j = 0; j < X.extent(1); ++j)
      X(i, j) = X(i, j) - m(i);
  }
}
/// What is left of the largest values.
[[septran::leaf]]
void weigh_rows([[septran::reduce("+")]] vector<float> total, matrix<const float> X, vector<const float> m) {
  for (int i = 0; i < X.extent(0); ++i)
    total(0) += m(i) + X(i, 0);
}
[[septran::task]]
void block(matrix<float> X, [[septran::write]] vector<float> m, [[septran::reduce("+")]] vector<float> total) {
  scale_rows(X, m);
  weigh_rows(total, X, m);
}
[[septran::task]]
void rows(matrix<float> X, [[septran::write]] vector<float> m, [[septran::reduce("+")]] vector<float> total) {
  auto Xp = septran::partition(X, {8, X.extent(1)});
  auto mp = septran::partition(m, {8});
  for (auto [i] : septran::parallel(Xp.extent(0)))
    block(Xp(i, 0), mp(i), total);
}
int main() {
  const int m = 21, n = 45;
  std::vector<float> x = numbers<float>(m * n, 3), top(m, 99.0f), total{1.0f};
  for (float &value : x)
    value -= 2; // all are negative: 0 is no identity of their maximum
  std::vector<double> tops, scaled, sum{1.0};
  for (int i = 0; i < m; ++i) {
    double most = -1000;
    for (int j = 0; j < n; ++j)
      most = std::max(most, double(x[std::size_t(i * n + j)]));
    tops.push_back(most);
    for (int j = 0; j < n; ++j)
      scaled.push_back(double(x[std::size_t(i * n + j)]) - most);
    sum[0] += most + scaled[std::size_t(i * n)];
  }
  rows(matrix<float>(x.data(), {m, n}), vector<float>(top.data(), {m}), vector<float>(total.data(), {1}));
  expect_near("m", top, tops, 0);
  expect_near("X", x, scaled, 0);
  expect_near("total", total, sum, 1e-3);
  return 0;
}
