//===- septran/cuda/program.h - What generated host code needs ---*- C++ -*-===//
//
// Tensors between host and device, sizes of grids, and the partial results of reductions that
// blocks share. Generated files include this header alone.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CUDA_PROGRAM_H
#define SEPTRAN_CUDA_PROGRAM_H

#include <septran/cuda/launch.h>
#include <septran/cuda/reduce.h>
#include <septran/tensor.h>

#include <cstddef>
#include <string>
#include <vector>

namespace septran::cuda {

/// ceil(a / b) for a >= 0; 0 if b is 0.
SEPTRAN_HOST_DEVICE constexpr std::ptrdiff_t ceil_div(std::ptrdiff_t a, std::ptrdiff_t b) {
  return b == 0 ? 0 : (a + b - 1) / b;
}

/// A grid of so many blocks, in one dimension. Throws if the hardware cannot number them.
inline dim3 grid_of(std::ptrdiff_t blocks) {
  constexpr std::ptrdiff_t most = 0x7fffffff; // CUDA C++ Programming Guide, maximum x-dimension
  if (blocks > most)
    throw error("a grid of " + std::to_string(blocks) + " blocks; at most " + std::to_string(most) +
                " are possible");
  return dim3(unsigned(blocks < 0 ? 0 : blocks));
}

namespace detail {

template <class T> void copy_row(T *to, const T *from, std::size_t count, bool to_device) {
  if (to_device)
    copy_to_device(to, from, count);
  else
    copy_to_host(to, from, count);
}

/// One dimension after the other; the last two as rows where their elements are neighbours.
template <class T, int R>
void transfer(T *to, extents_t<R> to_strides, const T *from, extents_t<R> from_strides,
              const extents_t<R> &extents, int dim, bool to_device) {
  if (dim == R) {
    copy_row(to, from, 1, to_device);
    return;
  }
  if (extents[dim] == 0)
    return;
  const bool rows = to_strides[R - 1] == 1 && from_strides[R - 1] == 1;
  if (dim == R - 1 && rows) {
    copy_row(to, from, std::size_t(extents[dim]), to_device);
    return;
  }
  if (dim == R - 2 && rows && extents[R - 1] > 0 && to_strides[dim] >= extents[R - 1] &&
      from_strides[dim] >= extents[R - 1]) {
    const std::size_t row_count = std::size_t(extents[dim]), count = std::size_t(extents[R - 1]);
    if (to_device)
      copy_rows_to_device(to, std::size_t(to_strides[dim]), from, std::size_t(from_strides[dim]),
                          row_count, count);
    else
      copy_rows_to_host(to, std::size_t(to_strides[dim]), from, std::size_t(from_strides[dim]),
                        row_count, count);
    return;
  }
  for (index_type i = 0; i < extents[dim]; ++i)
    transfer<T, R>(to + i * to_strides[dim], to_strides, from + i * from_strides[dim], from_strides,
                   extents, dim + 1, to_device);
}

} // namespace detail

/// device = host, element by element; the two have the same extents.
template <class T, int R>
void copy_tensor_to_device(const tensor<T, R> &device, const tensor<const T, R> &host) {
  detail::transfer<T, R>(device.data(), device.strides(), host.data(), host.strides(),
                         host.extents(), 0, true);
}
/// host = device, element by element; the two have the same extents.
template <class T, int R>
void copy_tensor_to_host(const tensor<T, R> &host, const tensor<const T, R> &device) {
  detail::transfer<T, R>(host.data(), host.strides(), device.data(), device.strides(),
                         host.extents(), 0, false);
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

/// Combines the partial results that `count` blocks left behind each other.
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
