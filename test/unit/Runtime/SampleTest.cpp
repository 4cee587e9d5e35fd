//===- SampleTest.cpp - the sample of the language guide ------------------===//
//
// One program with every construct at once, as a user would write it, against the naive loop. It is
// built plain and checked; what the compiler reads in it is tested where it stands.
//
//===----------------------------------------------------------------------===//
#include "../../Logic/sample.cpp"

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
