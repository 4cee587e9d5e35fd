//===- BanksTest.cpp - Bank conflicts -------------------------------------===//

#include "Emulated.h"

#include <septran/cuda/sm80.h>

using namespace septran;
using namespace septran::cuda;
using namespace septran::test;

namespace {

/// Lane l writes `N` floats at l * stride.
template <int N> __global__ void strided(int stride) {
  vec<float, N> value = {};
  store(shared_memory<float>() + lane() * stride, value);
}

__global__ void plain(int stride) { shared_memory<float>()[lane() * stride] = 1; }

/// Rows of `pitch` elements, chunk c of row r at c ^ (r / divide & mask).
__global__ void matrix(int pitch, int divide, int mask) {
  float16 *tile = shared_memory<float16>();
  for (int i = lane(); i < 32 * pitch; i += 32)
    tile[i] = float16(0);
  block_barrier();
  packed<float16, 8> a;
  const int row = lane() % 16, chunk = lane() / 16;
  ldmatrix_x4(a, tile + row * pitch + (chunk ^ (row / divide & mask)) * 8);
}

template <class Run> emulator::statistics count(Run run) {
  const with_options banks("eager,banks");
  emulator::take_statistics();
  testing::internal::CaptureStderr(); // the table
  run();
  EXPECT_NE(testing::internal::GetCapturedStderr().find("BanksTest.cpp:"), std::string::npos);
  return emulator::take_statistics();
}

std::uint64_t conflicts(const emulator::statistics &s) {
  return s.shared_wavefronts - s.ideal_wavefronts;
}

} // namespace

TEST(Banks, Strides) {
  const auto run = [](auto kernel, int stride) {
    return count([&] { launch(kernel, {1, 32, 64 * 1024}, stride); });
  };
  const auto unit = run(strided<1>, 1);
  EXPECT_EQ(unit.shared_requests, 1u);
  EXPECT_EQ(unit.shared_wavefronts, 1u);
  EXPECT_EQ(run(strided<1>, 32).shared_wavefronts, 32u);
  EXPECT_EQ(run(strided<1>, 33).shared_wavefronts, 1u);
  EXPECT_EQ(run(strided<1>, 2).shared_wavefronts, 2u);
  EXPECT_EQ(run(plain, 4).shared_wavefronts, 4u);
  EXPECT_EQ(run(strided<2>, 2).shared_wavefronts, 2u);
  EXPECT_EQ(run(strided<4>, 4).shared_wavefronts, 4u);
  EXPECT_EQ(run(strided<4>, 4).ideal_wavefronts, 4u);
  EXPECT_EQ(run(strided<4>, 32).shared_wavefronts, 32u);
}

TEST(Banks, Ldmatrix) {
  const auto run = [](int pitch, int divide, int mask) {
    return conflicts(count([&] { launch(matrix, {1, 32, 64 * 1024}, pitch, divide, mask); }));
  };
  const std::uint64_t fill = run(8, 1, 0); // rows of 16 bytes lie in a row: none
  EXPECT_EQ(fill, 0u);
  EXPECT_EQ(run(64, 1, 0), 28u); // four matrices, each row in the same banks: 8 passes, not 1
  EXPECT_EQ(run(64, 1, 7), 0u);
  EXPECT_EQ(run(32, 1, 0), 12u);
  EXPECT_EQ(run(32, 2, 3), 0u);
  EXPECT_EQ(run(72, 1, 0), 0u); // padded
}
