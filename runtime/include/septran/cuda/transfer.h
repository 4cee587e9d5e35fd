//===- septran/cuda/transfer.h - Tensors to the device and back --*- C++ -*-===//
//
// A tensor of the host and one of the device, each with any strides. Dimensions are taken in the
// order of the device's strides, and those that lie without gaps on both sides are taken as one. The
// driver copies rows; where the host's elements are not neighbours they are packed into rows there
// first. Only a device tensor without any neighbours is copied element by element.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CUDA_TRANSFER_H
#define SEPTRAN_CUDA_TRANSFER_H

#include <septran/cuda/launch.h>
#include <septran/tensor.h>

#include <cstddef>
#include <type_traits>

namespace septran::cuda {

namespace detail {

/// What is copied, the last dimension being the one whose elements are nearest on the device.
template <int R> struct transfer_shape {
  static constexpr int room = R == 0 ? 1 : R;
  int rank = 0;
  index_type extents[room] = {}, host[room] = {}, device[room] = {};

  transfer_shape(const extents_t<R> &all, const extents_t<R> &host_strides,
                 const extents_t<R> &device_strides) {
    for (int d = 0; d < R; ++d)
      if (all[d] != 1)
        insert(all[d], host_strides[d], device_strides[d]);
    merge();
  }

  index_type size() const {
    index_type count = 1;
    for (int d = 0; d < rank; ++d)
      count *= extents[d] < 0 ? 0 : extents[d];
    return count;
  }
  index_type row_length() const { return rank == 0 ? 1 : extents[rank - 1]; }
  bool has_rows(const index_type *strides) const { return rank == 0 || strides[rank - 1] == 1; }
  /// Whether rows are far enough apart for the driver to copy them together.
  bool has_pitch(const index_type *strides) const {
    return rank >= 2 && strides[rank - 2] >= row_length();
  }
  /// Row-major strides.
  void pack(index_type *strides) const {
    index_type next = 1;
    for (int d = rank - 1; d >= 0; --d) {
      strides[d] = next;
      next *= extents[d];
    }
  }

  /// Calls f(offset on the host, offset on the device) for every index of the first `dimensions`
  /// dimensions, in row-major order.
  template <class F> void each_index(int dimensions, F f) const {
    index_type index[room] = {};
    for (index_type at_host = 0, at_device = 0;;) {
      f(at_host, at_device);
      int d = dimensions - 1;
      for (; d >= 0; --d) {
        at_host += host[d];
        at_device += device[d];
        if (++index[d] < extents[d])
          break;
        at_host -= extents[d] * host[d];
        at_device -= extents[d] * device[d];
        index[d] = 0;
      }
      if (d < 0)
        return;
    }
  }

private:
  void insert(index_type extent, index_type host_stride, index_type device_stride) {
    int at = rank++;
    for (; at > 0 && device[at - 1] < device_stride; --at) {
      extents[at] = extents[at - 1];
      host[at] = host[at - 1];
      device[at] = device[at - 1];
    }
    extents[at] = extent;
    host[at] = host_stride;
    device[at] = device_stride;
  }

  void merge() {
    int last = 0;
    for (int d = 1; d < rank; ++d) {
      if (host[last] == host[d] * extents[d] && device[last] == device[d] * extents[d])
        extents[last] *= extents[d];
      else
        extents[++last] = extents[d];
      host[last] = host[d];
      device[last] = device[d];
    }
    if (rank > 0)
      rank = last + 1;
  }
};

/// Copies with `rows(at host, host's pitch, at device, device's pitch, number, length)` where rows
/// are neighbours on both sides, and else element by element.
template <int R, class F> void transfer_rows(const transfer_shape<R> &shape, F rows) {
  const int rank = shape.rank;
  if (!shape.has_rows(shape.host) || !shape.has_rows(shape.device))
    return shape.each_index(rank, [&](index_type at_host, index_type at_device) {
      rows(at_host, 1, at_device, 1, 1, 1);
    });
  const index_type length = shape.row_length();
  if (shape.has_pitch(shape.host) && shape.has_pitch(shape.device))
    return shape.each_index(rank - 2, [&](index_type at_host, index_type at_device) {
      rows(at_host, shape.host[rank - 2], at_device, shape.device[rank - 2],
           shape.extents[rank - 2], length);
    });
  shape.each_index(rank == 0 ? 0 : rank - 1, [&](index_type at_host, index_type at_device) {
    rows(at_host, length, at_device, length, 1, length);
  });
}

/// Elements of the host in rows.
template <class T> class pack {
public:
  explicit pack(index_type size) : data_(new T[std::size_t(size)]) {}
  pack(const pack &) = delete;
  pack &operator=(const pack &) = delete;
  ~pack() { delete[] data_; }
  T *data() { return data_; }

private:
  T *data_;
};

/// `shape` with the host's elements packed; calls f(number in the pack, offset on the host).
template <int R, class F> transfer_shape<R> packed(transfer_shape<R> shape, F f) {
  index_type number = 0;
  shape.each_index(shape.rank,
                   [&](index_type at_host, index_type) { f(std::size_t(number++), at_host); });
  shape.pack(shape.host);
  return shape;
}

} // namespace detail

/// device = host, element by element; the two have the same extents.
template <class T, int R>
void copy_tensor_to_device(const tensor<T, R> &device,
                           const tensor<const std::type_identity_t<T>, R> &host) {
  const detail::transfer_shape<R> shape(host.extents(), host.strides(), device.strides());
  if (shape.size() == 0)
    return;
  const auto copy = [&](const detail::transfer_shape<R> &way, const T *from) {
    detail::transfer_rows(way, [&](index_type at_host, index_type host_pitch, index_type at_device,
                                   index_type device_pitch, index_type number, index_type length) {
      if (number == 1)
        copy_to_device(device.data() + at_device, from + at_host, std::size_t(length));
      else
        copy_rows_to_device(device.data() + at_device, std::size_t(device_pitch), from + at_host,
                            std::size_t(host_pitch), std::size_t(number), std::size_t(length));
    });
  };
  if (shape.has_rows(shape.host) || !shape.has_rows(shape.device))
    return copy(shape, host.data());
  detail::pack<T> pack(shape.size());
  const auto way = detail::packed(shape, [&](std::size_t number, index_type at_host) {
    pack.data()[number] = host.data()[at_host];
  });
  copy(way, pack.data());
}

/// host = device, element by element; the two have the same extents.
template <class T, int R>
void copy_tensor_to_host(const tensor<T, R> &host,
                         const tensor<const std::type_identity_t<T>, R> &device) {
  static_assert(!std::is_const_v<T>, "the host's elements are written");
  const detail::transfer_shape<R> shape(host.extents(), host.strides(), device.strides());
  if (shape.size() == 0)
    return;
  const auto copy = [&](const detail::transfer_shape<R> &way, T *to) {
    detail::transfer_rows(way, [&](index_type at_host, index_type host_pitch, index_type at_device,
                                   index_type device_pitch, index_type number, index_type length) {
      if (number == 1)
        copy_to_host(to + at_host, device.data() + at_device, std::size_t(length));
      else
        copy_rows_to_host(to + at_host, std::size_t(host_pitch), device.data() + at_device,
                          std::size_t(device_pitch), std::size_t(number), std::size_t(length));
    });
  };
  if (shape.has_rows(shape.host) || !shape.has_rows(shape.device))
    return copy(shape, host.data());
  detail::pack<T> pack(shape.size());
  copy(detail::packed(shape, [](std::size_t, index_type) {}), pack.data());
  detail::packed(shape, [&](std::size_t number, index_type at_host) {
    host.data()[at_host] = pack.data()[number];
  });
}

/// Copies the elements of `host` to `device`, which has room for host.size() elements: row-major,
/// without gaps.
template <class T, int R>
void copy_to_device(std::type_identity_t<T> *device, const tensor<const T, R> &host) {
  copy_tensor_to_device(tensor<T, R>(device, host.extents(), row_major_strides(host.extents())),
                        host);
}

/// Copies elements that lie so on the device to `host`.
template <class T, int R>
void copy_to_host(const tensor<T, R> &host, const std::type_identity_t<T> *device) {
  copy_tensor_to_host(host,
                      tensor<const T, R>(device, host.extents(), row_major_strides(host.extents())));
}

} // namespace septran::cuda

#endif // SEPTRAN_CUDA_TRANSFER_H
