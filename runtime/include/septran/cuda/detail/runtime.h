//===- septran/cuda/detail/runtime.h - The CUDA runtime API ------*- C++ -*-===//
//
// The host's primitives of <septran/cuda/launch.h> over the CUDA runtime library.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CUDA_DETAIL_RUNTIME_H
#define SEPTRAN_CUDA_DETAIL_RUNTIME_H

#include <septran/cuda/error.h>
#include <septran/cuda/target.h>

#include <cstddef>
#include <string>
#include <utility>

#ifdef __CUDACC__

namespace septran::cuda::runtime {

using stream = cudaStream_t;

inline stream stream_at(void *handle) { return static_cast<stream>(handle); }

/// Throws unless the call succeeded.
inline void check(cudaError_t status, const std::string &what) {
  if (status == cudaSuccess)
    return;
  // The runtime keeps an error until it is asked for: the next one who asks would take it for his.
  static_cast<void>(cudaGetLastError());
  const std::string text =
      what + ": " + cudaGetErrorString(status) + " [" + cudaGetErrorName(status) + "]";
  if (status == cudaErrorMemoryAllocation)
    throw memory_error(text);
  throw error(text);
}

inline int device_count() {
  int count = 0;
  check(cudaGetDeviceCount(&count), "counting devices");
  return count;
}
inline int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "asking for the device");
  return device;
}
inline void set_device(int device) {
  check(cudaSetDevice(device), "choosing device " + std::to_string(device));
}
/// Called by destructors.
inline void restore_device(int device) noexcept { static_cast<void>(cudaSetDevice(device)); }

/// Dynamic shared memory that every kernel may have; more has to be asked for.
/// CUDA C++ Programming Guide, "Shared Memory" of each compute capability.
inline constexpr std::size_t default_shared_bytes = 48 * 1024;

inline std::string kernel_name(const void *kernel) {
  const char *name = nullptr;
  return cudaFuncGetName(&name, kernel) == cudaSuccess && name != nullptr ? name : "a kernel";
}

template <class... P>
void launch(void (*kernel)(P...), dim3 grid, dim3 block, std::size_t shared_bytes, stream in,
            std::decay_t<P>... arguments) {
  const void *function = reinterpret_cast<const void *>(kernel);
  const auto text = [&] {
    return detail::launch_text(kernel_name(function), grid, block, shared_bytes);
  };
  if (shared_bytes > default_shared_bytes) {
    const cudaError_t status = cudaFuncSetAttribute(
        function, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared_bytes));
    if (status != cudaSuccess)
      check(status, text() + ": asking for the shared memory");
  }
  void *pointers[sizeof...(P) + 1] = {static_cast<void *>(&arguments)..., nullptr};
  const cudaError_t status = cudaLaunchKernel(function, grid, block, pointers, shared_bytes, in);
  if (status != cudaSuccess)
    check(status, text());
}

inline void synchronize() { check(cudaDeviceSynchronize(), "waiting for the device"); }
inline void synchronize(stream of) { check(cudaStreamSynchronize(of), "waiting for a stream"); }

inline int multiprocessors() {
  int count = 0;
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, current_device()),
        "asking for the number of multiprocessors");
  return count;
}

/// Whether memory is allocated and released in the order of streams; else each release waits for the
/// whole device. CUDA C++ Programming Guide, "Stream Ordered Memory Allocator".
inline bool has_pools() noexcept {
  int device = 0, supported = 0;
  return cudaGetDevice(&device) == cudaSuccess &&
         cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device) ==
             cudaSuccess &&
         supported != 0;
}

inline void *allocate(std::size_t bytes, stream in) {
  void *memory = nullptr;
  const cudaError_t status =
      has_pools() ? cudaMallocAsync(&memory, bytes, in) : cudaMalloc(&memory, bytes);
  if (status != cudaSuccess)
    check(status, "allocating " + std::to_string(bytes) + " bytes of device memory");
  return memory;
}
/// Called by destructors: a failure of an earlier kernel is reported by the next other call.
inline void release(void *memory, stream in) noexcept {
  static_cast<void>(has_pools() ? cudaFreeAsync(memory, in) : cudaFree(memory));
}

/// A copy from pageable memory has taken its elements when it returns; one from page-locked memory
/// takes them when its turn comes. CUDA Runtime API, "API synchronization behavior".
inline bool is_page_locked(const void *host) {
  cudaPointerAttributes found{};
  if (cudaPointerGetAttributes(&found, host) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  return found.type != cudaMemoryTypeUnregistered;
}

/// Waits for a copy where the host could otherwise meet it.
inline void finish(const void *from, cudaMemcpyKind kind, stream in) {
  if (kind == cudaMemcpyDeviceToHost || (kind == cudaMemcpyHostToDevice && is_page_locked(from)))
    synchronize(in);
}

inline void copy(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind, stream in) {
  if (bytes == 0)
    return;
  const cudaError_t status = cudaMemcpyAsync(to, from, bytes, kind, in);
  if (status != cudaSuccess)
    check(status, "copying " + std::to_string(bytes) + " bytes");
  finish(from, kind, in);
}
inline void copy_to_device(void *device, const void *host, std::size_t bytes, stream in) {
  copy(device, host, bytes, cudaMemcpyHostToDevice, in);
}
inline void copy_to_host(void *host, const void *device, std::size_t bytes, stream in) {
  copy(host, device, bytes, cudaMemcpyDeviceToHost, in);
}
inline void copy_on_device(void *to, const void *from, std::size_t bytes, stream in) {
  copy(to, from, bytes, cudaMemcpyDeviceToDevice, in);
}

inline void copy_rows(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch,
                      std::size_t rows, std::size_t bytes, cudaMemcpyKind kind, stream in) {
  if (rows == 0 || bytes == 0)
    return;
  const cudaError_t status =
      cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, bytes, rows, kind, in);
  if (status != cudaSuccess)
    check(status,
          "copying " + std::to_string(rows) + " rows of " + std::to_string(bytes) + " bytes");
  finish(from, kind, in);
}
inline void copy_rows_to_device(void *device, std::size_t device_pitch, const void *host,
                                std::size_t host_pitch, std::size_t rows, std::size_t bytes,
                                stream in) {
  copy_rows(device, device_pitch, host, host_pitch, rows, bytes, cudaMemcpyHostToDevice, in);
}
inline void copy_rows_to_host(void *host, std::size_t host_pitch, const void *device,
                              std::size_t device_pitch, std::size_t rows, std::size_t bytes,
                              stream in) {
  copy_rows(host, host_pitch, device, device_pitch, rows, bytes, cudaMemcpyDeviceToHost, in);
}

inline void fill(void *device, unsigned char byte, std::size_t bytes, stream in) {
  check(cudaMemsetAsync(device, byte, bytes, in), "filling device memory");
}

class event {
public:
  event() { check(cudaEventCreate(&event_), "creating an event"); }
  event(const event &) = delete;
  event &operator=(const event &) = delete;
  ~event() { static_cast<void>(cudaEventDestroy(event_)); }

  void record(stream in) { check(cudaEventRecord(event_, in), "recording an event"); }
  void wait() { check(cudaEventSynchronize(event_), "waiting for an event"); }

  static float milliseconds(const event &begin, const event &end) {
    float time = 0;
    check(cudaEventElapsedTime(&time, begin.event_, end.event_), "measuring time");
    return time;
  }

private:
  cudaEvent_t event_ = nullptr;
};

} // namespace septran::cuda::runtime

#endif // __CUDACC__

#endif // SEPTRAN_CUDA_DETAIL_RUNTIME_H
