// C = A * B in 16-bit floats with float sums: a block computes 64 x 64 elements, a warp 32 x 32 of
// them by mma.m16n8k16; tiles arrive by asynchronous copies in three stages. Rows of A and B begin
// at multiples of 8 elements.
#include "check.h"

#include <septran/cuda/launch.h>
#include <septran/cuda/sm80.h>

using namespace septran::cuda;

constexpr int tile_m = 64, tile_n = 64, tile_k = 32, stages = 3, threads = 128;
constexpr int chunk = 8; // elements of 16 bytes

// Chunks of a row are permuted so that the eight rows of an ldmatrix lie in different banks.
__device__ int place_a(int row, int c) { return row * tile_k + (c ^ (row / 2 & 3)) * chunk; }
__device__ int place_b(int row, int c) { return row * tile_n + (c ^ (row & 7)) * chunk; }

/// How many elements of a chunk lie inside.
__device__ int inside(int first, int extent) {
  const int left = extent - first;
  return left < 0 ? 0 : left > chunk ? chunk : left;
}

template <class T>
__global__ void __launch_bounds__(threads) gemm(T *c, const T *a, const T *b, int m, int n, int k) {
  T *const all_a = shared_memory<T>();                       // stages x tile_m x tile_k
  T *const all_b = all_a + stages * tile_m * tile_k;         // stages x tile_k x tile_n
  const int row0 = block_index<1>() * tile_m, column0 = block_index<0>() * tile_n;
  const int me = thread_rank(), my_row = warp_rank() / 2 * 32, my_column = warp_rank() % 2 * 32;
  const int steps = (k + tile_k - 1) / tile_k;

  const auto fetch = [&](int step, int stage) {
    T *const tile_a = all_a + stage * tile_m * tile_k;
    T *const tile_b = all_b + stage * tile_k * tile_n;
    const int k0 = step * tile_k;
    for (int i = me; i < tile_m * tile_k / chunk; i += threads) {
      const int row = i / 4, column = i % 4;
      const int valid = row0 + row < m ? inside(k0 + column * chunk, k) : 0;
      copy_async<chunk>(tile_a + place_a(row, column),
                        valid > 0 ? a + (row0 + row) * k + k0 + column * chunk : a, valid);
    }
    for (int i = me; i < tile_k * tile_n / chunk; i += threads) {
      const int row = i / 8, column = i % 8;
      const int valid = k0 + row < k ? inside(column0 + column * chunk, n) : 0;
      copy_async<chunk>(tile_b + place_b(row, column),
                        valid > 0 ? b + (k0 + row) * n + column0 + column * chunk : b, valid);
    }
  };

  float sum[2][4][4] = {};
  for (int step = 0; step < stages - 1; ++step) {
    if (step < steps)
      fetch(step, step);
    copy_async_commit();
  }
  for (int step = 0; step < steps; ++step) {
    const int stage = step % stages;
    copy_async_wait<stages - 2>(); // this step's tiles have arrived, of this thread
    block_barrier();               // and of all; the stage before is free
    if (step + stages - 1 < steps)
      fetch(step + stages - 1, (step + stages - 1) % stages);
    copy_async_commit();
    const T *const tile_a = all_a + stage * tile_m * tile_k;
    const T *const tile_b = all_b + stage * tile_k * tile_n;
#pragma unroll
    for (int p = 0; p < tile_k / 16; ++p) {
      packed<T, 8> left[2];
      packed<T, 4> right[4];
#pragma unroll
      for (int i = 0; i < 2; ++i)
        ldmatrix_x4(left[i],
                    tile_a + place_a(my_row + i * 16 + lane() % 16, p * 2 + lane() / 16));
#pragma unroll
      for (int j = 0; j < 2; ++j)
        ldmatrix_x4_trans(right[2 * j], right[2 * j + 1],
                          tile_b + place_b(p * 16 + lane() % 16,
                                           my_column / chunk + j * 2 + lane() / 16));
#pragma unroll
      for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          mma_m16n8k16(sum[i][j], left[i], right[j]);
    }
  }
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int row = row0 + my_row + i * 16 + lane() / 4 + 8 * half;
        const int column = column0 + my_column + j * 8 + lane() % 4 * 2;
        if (row < m && column < n)
          store(c + row * n + column,
                vec<T, 2>{narrow<T>(sum[i][j][2 * half]), narrow<T>(sum[i][j][2 * half + 1])});
      }
}

template <class T> void check(int m, int n, int k) {
  const auto a = numbers<T>(m * k, 5), b = numbers<T>(k * n, 6);
  device_buffer<T> on_device_a(a.data(), a.size()), on_device_b(b.data(), b.size());
  device_buffer<T> on_device_c(std::size_t(m * n));
  launch(gemm<T>,
         {.grid = dim3(unsigned(n + tile_n - 1) / tile_n, unsigned(m + tile_m - 1) / tile_m),
          .block = threads,
          .shared_bytes = stages * (tile_m + tile_n) * tile_k * sizeof(T)},
         on_device_c.data(), on_device_a.data(), on_device_b.data(), m, n, k);
  std::vector<T> c(std::size_t(m * n));
  on_device_c.download(c.data());
  expect_near("gemm", c, exact_product(a, b, m, n, k), 0.2); // one rounding of values below 64
}

int main() {
  check<septran::bfloat16>(64, 64, 7 * tile_k);
  check<septran::float16>(70, 72, 104);
  check<septran::bfloat16>(3, 8, 8);
  return 0;
}
