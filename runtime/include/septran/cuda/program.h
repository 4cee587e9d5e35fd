//===- septran/cuda/program.h - What generated host code needs ---*- C++ -*-===//
//
// Transfers, sizes of grids, and the partial results of reductions that blocks share. Generated files include this header alone.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CUDA_PROGRAM_H
#define SEPTRAN_CUDA_PROGRAM_H

#include <septran/cuda/launch.h>
#include <septran/cuda/reduce.h>
#include <septran/cuda/transfer.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace septran::cuda {

/// ceil(a / b) for a >= 0; 0 if b is 0.
SEPTRAN_HOST_DEVICE constexpr std::ptrdiff_t ceil_div(std::ptrdiff_t a, std::ptrdiff_t b) {
  return b == 0 ? 0 : (a + b - 1) / b;
}

/// Vectors of so many bytes may begin here.
template <std::size_t Bytes> bool is_aligned(const void *address) {
  return reinterpret_cast<std::uintptr_t>(address) % Bytes == 0;
}

/// A grid of so many blocks, in one dimension. Throws if the hardware cannot number them.
inline dim3 grid_of(std::ptrdiff_t blocks) {
  constexpr std::ptrdiff_t most = 0x7fffffff; // CUDA C++ Programming Guide, maximum x-dimension
  if (blocks > most)
    throw error("a grid of " + std::to_string(blocks) + " blocks; at most " + std::to_string(most) +
                " are possible");
  return dim3(unsigned(blocks < 0 ? 0 : blocks));
}

template <class T>
__global__ void fill_parts_kernel(T *parts, std::ptrdiff_t count, T value) {
  const std::ptrdiff_t i = std::ptrdiff_t(block_index()) * block_size() + thread_rank();
  if (i < count)
    parts[i] = value;
}

/// Sets `count` elements, before a kernel whose blocks share them.
template <class T> void fill_parts(T *parts, std::ptrdiff_t count, T value) {
  constexpr int threads = 256;
  launch(fill_parts_kernel<T>,
         {.grid = grid_of(ceil_div(count, threads)), .block = dim3(threads)}, parts, count, value);
}

/// target[i] = target[i] op parts[0][i] op parts[1][i] ..., in this order, for `size` elements that
/// are `stride` apart in the target.
template <class T, class Op>
__global__ void combine_parts_kernel(T *target, std::ptrdiff_t stride, const T *parts,
                                     std::ptrdiff_t size, std::ptrdiff_t count, Op combine) {
  const std::ptrdiff_t i = std::ptrdiff_t(block_index()) * block_size() + thread_rank();
  if (i >= size)
    return;
  T total = target[i * stride];
  for (std::ptrdiff_t part = 0; part < count; ++part)
    total = combine(total, parts[part * size + i]);
  target[i * stride] = total;
}

/// Combines `count` partial results that lie behind each other.
template <class T, class Op>
void combine_parts(T *target, std::ptrdiff_t stride, const T *parts, std::ptrdiff_t size,
                   std::ptrdiff_t count, Op combine) {
  constexpr int threads = 64;
  launch(combine_parts_kernel<T, Op>,
         {.grid = grid_of(ceil_div(size, threads)), .block = dim3(threads)}, target, stride, parts,
         size, count, combine);
}

} // namespace septran::cuda

#endif // SEPTRAN_CUDA_PROGRAM_H
