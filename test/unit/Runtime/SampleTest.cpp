//===- SampleTest.cpp - the sample of the language guide ------------------===//
//
// One program with every construct at once, as a user would write it, against the
// naive loop. It is built plain and checked.
//
//===----------------------------------------------------------------------===//

#include <septran/septran.h>

template <class T> using matrix = septran::tensor<T, 2>;

/// C += A * B.
template <class C_t, class T>
[[septran::leaf("gemm")]]
void gemm_leaf(matrix<C_t> C, matrix<const T> A, matrix<const T> B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      for (int k = 0; k < A.extent(1); ++k)
        C(i, j) += C_t(A(i, k)) * C_t(B(k, j));
}

/// C += A * B, by blocks. A variant of the same task: a mapping may nest it to any depth.
template <class C_t, class T>
[[septran::task("gemm")]]
void gemm_blocked(matrix<C_t> C, matrix<const T> A, matrix<const T> B) {
  [[septran::tunable]] const int tile_m = 64, tile_n = 64, tile_k = 64;
  auto Cp = septran::partition(C, {tile_m, tile_n});
  auto Ap = septran::partition(A, {tile_m, tile_k});
  auto Bp = septran::partition(B, {tile_k, tile_n});
  for (auto [i, j] : septran::parallel(Cp.shape()))
    for (int k = 0; k < Ap.extent(1); ++k)
      gemm_leaf(Cp(i, j), Ap(i, k), Bp(k, j));
}

/// One tile of C = A * B.
[[septran::task]]
void matmul_tile([[septran::write]] matrix<float> C, matrix<const float> A, matrix<const float> B) {
  septran::local<float, 2> acc(C.extents());
  septran::fill(acc, 0.0f);
  gemm_blocked(acc, A, B);
  septran::convert(C, acc);
}

/// C = A * B: the entry point that the rest of the user's program calls.
[[septran::task]]
void matmul([[septran::write]] matrix<float> C, matrix<const float> A, matrix<const float> B) {
  [[septran::tunable]] const int tile_m = 128, tile_n = 128;
  auto Cp = septran::partition(C, {tile_m, tile_n});
  auto Ap = septran::partition(A, {tile_m, A.extent(1)});
  auto Bp = septran::partition(B, {B.extent(0), tile_n});
  for (auto [i, j] : septran::parallel(Cp.shape()))
    matmul_tile(Cp(i, j), Ap(i, 0), Bp(0, j));
}

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace {

class Sample : public ::testing::TestWithParam<std::tuple<int, int, int>> {};

TEST_P(Sample, EqualsTheNaiveLoop) {
  const auto [m, n, k] = GetParam();
  const auto length = [](int rows, int columns) { return std::size_t(rows * columns + 1); };
  std::vector<float> a(length(m, k)), b(length(k, n)), c(length(m, n), -1.0f);
  // Small integers: every order of summation gives the same float.
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = float(i % 7) - 3;
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] = float(i % 5) - 2;
  const matrix<float> A(a.data(), {m, k}), B(b.data(), {k, n}), C(c.data(), {m, n});
  matmul(C, A, B);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l)
        sum += a[std::size_t(i * k + l)] * b[std::size_t(l * n + j)];
      ASSERT_EQ(c[std::size_t(i * n + j)], sum) << i << ", " << j;
    }
  EXPECT_EQ(c.back(), -1.0f);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Sample,
                         ::testing::Values(std::tuple(1, 1, 1), std::tuple(7, 13, 5),
                                           std::tuple(64, 128, 64), std::tuple(127, 65, 63),
                                           std::tuple(129, 130, 65), std::tuple(5, 4, 0),
                                           std::tuple(0, 3, 2)));

} // namespace
