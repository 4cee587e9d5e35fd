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

/// Throws unless the call succeeded.
inline void check(cudaError_t status, const std::string &what) {
  if (status != cudaSuccess)
    throw error(what + ": " + cudaGetErrorString(status) + " [" + cudaGetErrorName(status) + "]");
}

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

inline int multiprocessors() {
  int device = 0, count = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device),
        "asking for the number of multiprocessors");
  return count;
}

inline void *allocate(std::size_t bytes) {
  void *memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  if (status != cudaSuccess)
    check(status, "allocating " + std::to_string(bytes) + " bytes of device memory");
  return memory;
}
/// Called by destructors: a failure of an earlier kernel is reported by the next other call.
inline void release(void *memory) noexcept { static_cast<void>(cudaFree(memory)); }

inline void copy(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind) {
  const cudaError_t status = cudaMemcpy(to, from, bytes, kind);
  if (status != cudaSuccess)
    check(status, "copying " + std::to_string(bytes) + " bytes");
}
inline void copy_to_device(void *device, const void *host, std::size_t bytes) {
  copy(device, host, bytes, cudaMemcpyHostToDevice);
}
inline void copy_to_host(void *host, const void *device, std::size_t bytes) {
  copy(host, device, bytes, cudaMemcpyDeviceToHost);
}
inline void copy_on_device(void *to, const void *from, std::size_t bytes) {
  copy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

inline void copy_rows(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch,
                      std::size_t rows, std::size_t bytes, cudaMemcpyKind kind) {
  if (rows == 0 || bytes == 0)
    return;
  const cudaError_t status = cudaMemcpy2D(to, to_pitch, from, from_pitch, bytes, rows, kind);
  if (status != cudaSuccess)
    check(status,
          "copying " + std::to_string(rows) + " rows of " + std::to_string(bytes) + " bytes");
}
inline void copy_rows_to_device(void *device, std::size_t device_pitch, const void *host,
                                std::size_t host_pitch, std::size_t rows, std::size_t bytes) {
  copy_rows(device, device_pitch, host, host_pitch, rows, bytes, cudaMemcpyHostToDevice);
}
inline void copy_rows_to_host(void *host, std::size_t host_pitch, const void *device,
                              std::size_t device_pitch, std::size_t rows, std::size_t bytes) {
  copy_rows(host, host_pitch, device, device_pitch, rows, bytes, cudaMemcpyDeviceToHost);
}

inline void fill(void *device, unsigned char byte, std::size_t bytes) {
  check(cudaMemset(device, byte, bytes), "filling device memory");
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
