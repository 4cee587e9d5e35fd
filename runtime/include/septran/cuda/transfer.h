//===- septran/cuda/transfer.h - Tensors to the device and back --*- C++ -*-===//
//
// A tensor of the host, with any strides, and its elements on the device, row-major without gaps.
// Whole tensors and whole rows are copied by the driver; other strides are packed on the host
// first.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CUDA_TRANSFER_H
#define SEPTRAN_CUDA_TRANSFER_H

#include <septran/cuda/launch.h>
#include <septran/tensor.h>

#include <cstddef>
#include <type_traits>
#include <vector>

namespace septran::cuda {

namespace detail {

/// Calls f(offset in the host's tensor, number in row-major order) for every index of the first
/// `dimensions` dimensions.
template <int R, class F>
void each_index(const extents_t<R> &extents, const extents_t<R> &strides, int dimensions, F f) {
  index_type index[R == 0 ? 1 : R] = {};
  for (int d = 0; d < dimensions; ++d)
    if (extents[d] <= 0)
      return;
  for (index_type number = 0, offset = 0;; ++number) {
    f(offset, number);
    int d = dimensions - 1;
    for (; d >= 0; --d) {
      offset += strides[d];
      if (++index[d] < extents[d])
        break;
      offset -= extents[d] * strides[d];
      index[d] = 0;
    }
    if (d < 0)
      return;
  }
}

/// How a tensor's elements lie, for the way that it is copied.
enum class host_layout { whole, rows, scattered };

template <int R> host_layout layout_of(const extents_t<R> &extents, const extents_t<R> &strides) {
  if (strides == row_major_strides(extents))
    return host_layout::whole;
  if constexpr (R >= 2)
    if (strides[R - 1] == 1 && strides[R - 2] >= extents[R - 1])
      return host_layout::rows;
  return host_layout::scattered;
}

} // namespace detail

/// Copies the elements of `host` to `device`, which has room for host.size() elements.
template <class T, int R>
void copy_to_device(std::type_identity_t<T> *device, const tensor<const T, R> &host) {
  const extents_t<R> extents = host.extents(), strides = host.strides();
  if (host.size() <= 0)
    return;
  switch (detail::layout_of(extents, strides)) {
  case detail::host_layout::whole:
    return copy_to_device(device, host.data(), std::size_t(host.size()));
  case detail::host_layout::rows:
    if constexpr (R >= 2) {
      const auto rows = std::size_t(extents[R - 2]), count = std::size_t(extents[R - 1]);
      detail::each_index(extents, strides, R - 2, [&](index_type offset, index_type number) {
        copy_rows_to_device(device + std::size_t(number) * rows * count, count,
                            host.data() + offset, std::size_t(strides[R - 2]), rows, count);
      });
    }
    return;
  case detail::host_layout::scattered:
    break;
  }
  std::vector<T> packed_elements(std::size_t(host.size()));
  detail::each_index(extents, strides, R, [&](index_type offset, index_type number) {
    packed_elements[std::size_t(number)] = host.data()[offset];
  });
  copy_to_device(device, packed_elements.data(), packed_elements.size());
}

/// Copies the elements of `device` to `host`.
template <class T, int R>
void copy_to_host(const tensor<T, R> &host, const std::type_identity_t<T> *device) {
  static_assert(!std::is_const_v<T>, "the host's elements are written");
  const extents_t<R> extents = host.extents(), strides = host.strides();
  if (host.size() <= 0)
    return;
  switch (detail::layout_of(extents, strides)) {
  case detail::host_layout::whole:
    return copy_to_host(host.data(), device, std::size_t(host.size()));
  case detail::host_layout::rows:
    if constexpr (R >= 2) {
      const auto rows = std::size_t(extents[R - 2]), count = std::size_t(extents[R - 1]);
      detail::each_index(extents, strides, R - 2, [&](index_type offset, index_type number) {
        copy_rows_to_host(host.data() + offset, std::size_t(strides[R - 2]),
                          device + std::size_t(number) * rows * count, count, rows, count);
      });
    }
    return;
  case detail::host_layout::scattered:
    break;
  }
  std::vector<T> packed_elements(std::size_t(host.size()));
  copy_to_host(packed_elements.data(), device, packed_elements.size());
  detail::each_index(extents, strides, R, [&](index_type offset, index_type number) {
    host.data()[offset] = packed_elements[std::size_t(number)];
  });
}

} // namespace septran::cuda

#endif // SEPTRAN_CUDA_TRANSFER_H
