// Softmax of every row: one block per row, reductions through shared memory; the largest value of the
// whole matrix by atomics. A second kernel hands rows from one warp to another by named barriers.
#include "check.h"

#include <septran/cuda/atomic.h>
#include <septran/cuda/launch.h>
#include <septran/cuda/reduce.h>
#include <septran/cuda/simt.h>

#include <algorithm>

using namespace septran::cuda;

constexpr int threads = 128, warps = threads / warp_size;

__global__ void __launch_bounds__(threads)
    softmax(float *to, const float *from, float *largest, int columns) {
  float *const scratch = shared_memory<float>(); // one value per warp
  const float *const row = from + block_index() * columns;
  float *const result = to + block_index() * columns;

  float top = row[0];
  for (int j = thread_rank(); j < columns; j += threads)
    top = maximum()(top, row[j]);
  top = warp_reduce(top, maximum());
  if (lane() == 0)
    scratch[warp_rank()] = top;
  block_barrier(); // every warp's maximum
  for (int w = 0; w < warps; ++w)
    top = maximum()(top, scratch[w]);
  if (thread_rank() == 0)
    atomic_max(largest, top);
  block_barrier(); // the maxima have been read

  float sum = 0;
  for (int j = thread_rank(); j < columns; j += threads)
    sum += std::exp(row[j] - top);
  sum = warp_reduce(sum, plus());
  if (lane() == 0)
    scratch[warp_rank()] = sum;
  block_barrier(); // every warp's sum
  float total = 0;
  for (int w = 0; w < warps; ++w)
    total += scratch[w];

  for (int j = thread_rank(); j < columns; j += threads)
    result[j] = std::exp(row[j] - top) / total;
}

constexpr int slots = 2;

/// Warp 0 loads rows of 32 numbers, warp 1 reverses them; two slots are in turn full and empty.
__global__ void __launch_bounds__(64) reverse_rows(float *to, const float *from, int rows) {
  float *const ring = shared_memory<float>();
  for (int i = 0; i < rows; ++i) {
    float *const slot = ring + i % slots * warp_size;
    if (warp_rank() == 0) {
      if (i >= slots) {
        if (i % slots == 0)
          named_barrier<3>(64); // slot 0 is empty
        else
          named_barrier<4>(64); // slot 1 is empty
      }
      slot[lane()] = from[i * warp_size + lane()];
      if (i % slots == 0)
        named_barrier_arrive<1>(64); // slot 0 is full
      else
        named_barrier_arrive<2>(64); // slot 1 is full
    } else {
      if (i % slots == 0)
        named_barrier<1>(64);
      else
        named_barrier<2>(64);
      to[i * warp_size + lane()] = slot[warp_size - 1 - lane()];
      if (i + slots < rows) {
        if (i % slots == 0)
          named_barrier_arrive<3>(64);
        else
          named_barrier_arrive<4>(64);
      }
    }
  }
}

static void check_softmax(int rows, int columns) {
  const auto x = numbers<float>(rows * columns, 3);
  device_buffer<float> from(x.data(), x.size()), to(x.size());
  const float lowest = -1000;
  device_buffer<float> largest(&lowest, 1);
  launch(softmax, {.grid = unsigned(rows), .block = threads, .shared_bytes = warps * sizeof(float)},
         to.data(), from.data(), largest.data(), columns);
  std::vector<float> y(x.size()), top(1);
  to.download(y.data());
  largest.download(top.data());
  std::vector<double> expected;
  for (int i = 0; i < rows; ++i) {
    double sum = 0;
    for (int j = 0; j < columns; ++j)
      sum += std::exp(double(x[std::size_t(i * columns + j)]));
    for (int j = 0; j < columns; ++j)
      expected.push_back(std::exp(double(x[std::size_t(i * columns + j)])) / sum);
  }
  expect_near("softmax", y, expected, 1e-5);
  expect_near("largest", top, {double(*std::max_element(x.begin(), x.end()))}, 0);
}

static void check_reverse(int rows) {
  const auto x = numbers<float>(rows * warp_size, 4);
  device_buffer<float> from(x.data(), x.size()), to(x.size());
  launch(reverse_rows,
         {.grid = 1, .block = 64, .shared_bytes = slots * warp_size * sizeof(float)}, to.data(),
         from.data(), rows);
  std::vector<float> y(x.size());
  to.download(y.data());
  std::vector<double> expected;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < warp_size; ++j)
      expected.push_back(double(x[std::size_t(i * warp_size + warp_size - 1 - j)]));
  expect_near("reverse_rows", y, expected, 0);
}

int main() {
  check_softmax(3, 300);
  check_softmax(2, 1);
  check_reverse(7);
  check_reverse(1);
  return 0;
}
