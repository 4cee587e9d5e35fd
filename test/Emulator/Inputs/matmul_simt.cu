// C = A * B in float: a block computes 64 x 64 elements from tiles in shared memory, a thread 4 x 4.
#include "check.h"

#include <septran/cuda/launch.h>
#include <septran/cuda/simt.h>

using namespace septran::cuda;

constexpr int tile = 64, depth = 16, threads = 256;

__global__ void __launch_bounds__(threads)
    matmul(float *c, const float *a, const float *b, int m, int n, int k) {
  float *const tile_a = shared_memory<float>();   // depth x tile: transposed
  float *const tile_b = tile_a + depth * tile;    // depth x tile
  const int row0 = block_index<1>() * tile, column0 = block_index<0>() * tile;
  const int me = thread_rank(), my_row = me / 16 * 4, my_column = me % 16 * 4;

  float sum[4][4] = {};
  for (int k0 = 0; k0 < k; k0 += depth) {
    block_barrier(); // the tiles have been read
    for (int i = me; i < tile * depth; i += threads) {
      const int row = row0 + i / depth, column = k0 + i % depth;
      tile_a[i % depth * tile + i / depth] = row < m && column < k ? a[row * k + column] : 0;
    }
    for (int i = me; i < depth * tile; i += threads) {
      const int row = k0 + i / tile, column = column0 + i % tile;
      tile_b[i] = row < k && column < n ? b[row * n + column] : 0;
    }
    block_barrier(); // the tiles have been written
#pragma unroll
    for (int p = 0; p < depth; ++p) {
      const vec<float, 4> left = load<4>(tile_a + p * tile + my_row);
      const vec<float, 4> right = load<4>(tile_b + p * tile + my_column);
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          sum[i][j] += left[i] * right[j];
    }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
      if (row0 + my_row + i < m && column0 + my_column + j < n)
        c[(row0 + my_row + i) * n + column0 + my_column + j] = sum[i][j];
}

static void check(int m, int n, int k) {
  const auto a = numbers<float>(m * k, 1), b = numbers<float>(k * n, 2);
  device_buffer<float> on_device_a(a.data(), a.size()), on_device_b(b.data(), b.size());
  device_buffer<float> on_device_c(std::size_t(m * n));
  launch(matmul,
         {.grid = dim3(unsigned(n + tile - 1) / tile, unsigned(m + tile - 1) / tile),
          .block = threads,
          .shared_bytes = 2 * depth * tile * sizeof(float)},
         on_device_c.data(), on_device_a.data(), on_device_b.data(), m, n, k);
  std::vector<float> c(std::size_t(m * n));
  on_device_c.download(c.data());
  expect_near("matmul", c, exact_product(a, b, m, n, k), 1e-4);
}

int main() {
  check(64, 64, 48);
  check(70, 130, 37);
  check(1, 3, 2);
  return 0;
}
