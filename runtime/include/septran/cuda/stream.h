//===- septran/cuda/stream.h - Where work of the host goes -------*- C++ -*-===//
//
// Every thread of the host has a current stream and a current device. Generated programs use them,
// so that they need no parameters for what their caller chose:
//
//   cuda::stream_scope on(cuda::stream_at(handle));
//   saxpy(y, x, 3);                                  // launches on that stream
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CUDA_STREAM_H
#define SEPTRAN_CUDA_STREAM_H

#if defined(__CUDACC__) || defined(__HIP__)
#include <septran/cuda/detail/runtime.h>
#else
#include <septran/emulator/runtime.h>
#endif

namespace septran::cuda {

/// A queue of work on the device; a value-initialised one is the default stream.
using stream = runtime::stream;

/// The stream of a handle that came through a C interface: a cudaStream_t. Null is the default
/// stream.
inline stream stream_at(void *handle) { return runtime::stream_at(handle); }

namespace detail {

/// In a function, so that it needs no initialisation that a program could see half done.
inline stream &chosen_stream() {
  static thread_local stream chosen = {};
  return chosen;
}

} // namespace detail

/// Where work of this thread goes: the default stream, unless a stream_scope says otherwise.
inline stream current_stream() { return detail::chosen_stream(); }

/// Makes a stream current for its own lifetime, in the thread that makes it.
class stream_scope {
public:
  explicit stream_scope(stream inner) : outer_(current_stream()) {
    detail::chosen_stream() = inner;
  }
  stream_scope(const stream_scope &) = delete;
  stream_scope &operator=(const stream_scope &) = delete;
  ~stream_scope() { detail::chosen_stream() = outer_; }

private:
  stream outer_;
};

/// Devices that work can go to. Throws where there is no driver.
inline int device_count() { return runtime::device_count(); }

inline int current_device() { return runtime::current_device(); }

/// Makes a device current for its own lifetime, in the thread that makes it.
class device_scope {
public:
  explicit device_scope(int inner) : inner_(inner), outer_(runtime::current_device()) {
    if (inner_ != outer_)
      runtime::set_device(inner_);
  }
  device_scope(const device_scope &) = delete;
  device_scope &operator=(const device_scope &) = delete;
  ~device_scope() {
    if (inner_ != outer_)
      runtime::restore_device(outer_);
  }

private:
  int inner_, outer_;
};

} // namespace septran::cuda

#endif // SEPTRAN_CUDA_STREAM_H
