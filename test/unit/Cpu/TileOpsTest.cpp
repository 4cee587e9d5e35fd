// Tiles of every size against plain loops; what lies around the results stays as it was.
#include <septran/cpu/tile_ops.h>

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tile_ops_test {

TEST(TileOps, Axpy) {
  for (std::ptrdiff_t n = 0; n <= 70; ++n) {
    std::vector<float> x(n + 1, 3.0f), y(n + 1), expected(n + 1);
    for (std::ptrdiff_t j = 0; j <= n; ++j) {
      x[j] = float(j % 5);
      y[j] = expected[j] = float(j);
    }
    for (std::ptrdiff_t j = 0; j < n; ++j)
      expected[j] += 2.0f * x[j];
    septran::cpu::axpy(n, 2.0f, x.data(), y.data());
    EXPECT_EQ(y, expected) << n;
  }
}

void check_gemm(std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t depth) {
  std::mt19937 random(1);
  const std::ptrdiff_t stride_a = depth + 3, stride_c = n + 5, columns = n + 2;
  const std::ptrdiff_t panel_stride = columns * 4, panels = (depth + 3) / 4;
  std::vector<std::uint8_t> A(m * stride_a);
  std::vector<std::int8_t> B(panels * panel_stride);
  std::vector<std::int32_t> C(m * stride_c);
  for (auto &a : A)
    a = std::uint8_t(random());
  for (auto &b : B) // what lies beyond the depth is not zero
    b = std::int8_t(random());
  for (auto &c : C)
    c = std::int32_t(random() % 1000);
  std::vector<std::int32_t> expected = C;
  for (std::ptrdiff_t i = 0; i < m; ++i)
    for (std::ptrdiff_t j = 0; j < n; ++j)
      for (std::ptrdiff_t k = 0; k < depth; ++k)
        expected[i * stride_c + j] +=
            int(A[i * stride_a + k]) * int(B[k / 4 * panel_stride + j * 4 + k % 4]);
  septran::cpu::gemm_u8s8(m, n, depth, A.data(), stride_a, B.data(), panel_stride, C.data(),
                          stride_c);
  EXPECT_EQ(C, expected) << m << " x " << n << " x " << depth;
}

TEST(TileOps, GemmOfBytes) {
  for (std::ptrdiff_t m = 1; m <= 6; ++m)
    for (std::ptrdiff_t n : {1, 3, 4, 8, 15, 16, 17, 31, 32, 33, 63, 64})
      for (std::ptrdiff_t depth : {0, 1, 2, 3, 4, 5, 8, 31})
        check_gemm(m, n, depth);
}

} // namespace tile_ops_test
