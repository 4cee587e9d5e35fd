//===- septran/cuda/launch.h - The host's side -------------------*- C++ -*-===//
//
// Launches, device memory, transfers and events, as plain C++: no <<<>>>, so the same file compiles
// for the emulator. Every failure throws septran::cuda::error, which says what was asked for and
// what the runtime or the emulator answered.
//
// Launches, transfers and allocations go to the calling thread's current stream, in their order.
// The host waits only where it is given data, and where it is told to.
//
// Device memory is only touched by kernels and by the copies below; a device pointer is never
// dereferenced on the host.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CUDA_LAUNCH_H
#define SEPTRAN_CUDA_LAUNCH_H

#include <septran/cuda/error.h>
#include <septran/cuda/stream.h>
#include <septran/cuda/target.h>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace septran::cuda {

/// How a kernel is started.
struct launch_config {
  dim3 grid;                    ///< blocks
  dim3 block;                   ///< threads of a block, at most 1024
  std::size_t shared_bytes = 0; ///< dynamic shared memory of a block
  cuda::stream stream = current_stream();
};

/// Starts `kernel` with `arguments`, converted to its parameters' types. Nothing happens if the
/// grid has no block. On the GPU the call returns before the kernel ends, and a failure in the
/// kernel is thrown by a later call; the emulator runs the kernel here if it is on the default
/// stream.
template <class... P, class... A>
void launch(void (*kernel)(P...), const launch_config &config, A &&...arguments) {
  static_assert(sizeof...(P) == sizeof...(A), "one argument for every parameter of the kernel");
  if (config.grid.x == 0 || config.grid.y == 0 || config.grid.z == 0)
    return;
  runtime::launch<P...>(kernel, config.grid, config.block, config.shared_bytes, config.stream,
                        static_cast<std::decay_t<P>>(std::forward<A>(arguments))...);
}

/// Waits for everything that was started, and reports what failed in it.
inline void synchronize() { runtime::synchronize(); }
/// The same for one stream.
inline void synchronize(stream of) { runtime::synchronize(of); }

/// Multiprocessors of the current device.
inline int multiprocessors() { return runtime::multiprocessors(); }

// Transfers of `count` elements, after earlier work of the current stream. When a copy to or from
// the host returns, the host's elements may be used again.

template <class T> void copy_to_device(T *device, const T *host, std::size_t count) {
  runtime::copy_to_device(device, host, count * sizeof(T), current_stream());
}
template <class T> void copy_to_host(T *host, const T *device, std::size_t count) {
  runtime::copy_to_host(host, device, count * sizeof(T), current_stream());
}
template <class T> void copy_on_device(T *to, const T *from, std::size_t count) {
  runtime::copy_on_device(to, from, count * sizeof(T), current_stream());
}

/// `rows` rows of `count` elements; rows begin `device_stride` and `host_stride` elements apart.
template <class T>
void copy_rows_to_device(T *device, std::size_t device_stride, const T *host,
                         std::size_t host_stride, std::size_t rows, std::size_t count) {
  runtime::copy_rows_to_device(device, device_stride * sizeof(T), host, host_stride * sizeof(T),
                               rows, count * sizeof(T), current_stream());
}
template <class T>
void copy_rows_to_host(T *host, std::size_t host_stride, const T *device, std::size_t device_stride,
                       std::size_t rows, std::size_t count) {
  runtime::copy_rows_to_host(host, host_stride * sizeof(T), device, device_stride * sizeof(T), rows,
                             count * sizeof(T), current_stream());
}

/// Sets `bytes` bytes of device memory to `byte`.
inline void fill(void *device, unsigned char byte, std::size_t bytes) {
  runtime::fill(device, byte, bytes, current_stream());
}

/// Device memory for `size()` elements, aligned to 256 bytes; contents undefined. It is allocated
/// and released in the order of the stream that is current when it is made.
template <class T> class device_buffer {
  static_assert(std::is_trivially_copyable_v<T>, "elements are copied as bytes");

public:
  device_buffer() = default;
  explicit device_buffer(std::size_t count)
      : stream_(current_stream()),
        data_(count == 0 ? nullptr
                         : static_cast<T *>(runtime::allocate(count * sizeof(T), stream_))),
        size_(count) {}
  /// A copy of `count` elements of the host.
  device_buffer(const T *host, std::size_t count) : device_buffer(count) { upload(host); }

  device_buffer(device_buffer &&other) noexcept
      : stream_(other.stream_), data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  device_buffer &operator=(device_buffer &&other) noexcept {
    std::swap(stream_, other.stream_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~device_buffer() {
    if (data_ != nullptr)
      runtime::release(data_, stream_);
  }

  T *data() { return data_; }
  const T *data() const { return data_; }
  std::size_t size() const { return size_; }

  /// All elements, from and to the host.
  void upload(const T *host) { copy_to_device(data_, host, size_); }
  void download(T *host) const { copy_to_host(host, data_, size_); }

private:
  stream stream_ = {};
  T *data_ = nullptr;
  std::size_t size_ = 0;
};

/// A point in the work of a stream.
class event {
public:
  void record(stream in = current_stream()) { event_.record(in); }
  void wait() { event_.wait(); }

  /// Milliseconds of the device from `begin` to `end`, both recorded and reached. The emulator's
  /// answer is the time it took itself, and says nothing about a GPU.
  friend float milliseconds(const event &begin, const event &end) {
    return runtime::event::milliseconds(begin.event_, end.event_);
  }

private:
  runtime::event event_;
};

} // namespace septran::cuda

#endif // SEPTRAN_CUDA_LAUNCH_H
