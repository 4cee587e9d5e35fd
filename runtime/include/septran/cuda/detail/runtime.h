//===- septran/cuda/detail/runtime.h - The CUDA runtime API ------*- C++ -*-===//
//
// The host's primitives of <septran/cuda/launch.h> over the CUDA runtime library, and over that of
// HIP, whose names differ in their first letters (HIP Runtime API Reference).
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CUDA_DETAIL_RUNTIME_H
#define SEPTRAN_CUDA_DETAIL_RUNTIME_H

#include <septran/cuda/error.h>
#include <septran/cuda/target.h>

#include <cstddef>
#include <string>
#include <utility>

#if defined(__HIP__)
#define SEPTRAN_GPU(name) hip##name
#else
#define SEPTRAN_GPU(name) cuda##name
#endif

#if defined(__CUDACC__) || defined(__HIP__)

namespace septran::cuda::runtime {

using stream = SEPTRAN_GPU(Stream_t);

#if defined(__HIP__)
using pointer_attributes = hipPointerAttribute_t;
inline constexpr auto multiprocessor_count = hipDeviceAttributeMultiprocessorCount;
inline constexpr auto memory_pools_supported = hipDeviceAttributeMemoryPoolsSupported;
#else
using pointer_attributes = cudaPointerAttributes;
inline constexpr auto multiprocessor_count = cudaDevAttrMultiProcessorCount;
inline constexpr auto memory_pools_supported = cudaDevAttrMemoryPoolsSupported;
#endif

inline stream stream_at(void *handle) { return static_cast<stream>(handle); }

/// Throws unless the call succeeded.
inline void check(SEPTRAN_GPU(Error_t) status, const std::string &what) {
  if (status == SEPTRAN_GPU(Success))
    return;
  // The runtime keeps an error until it is asked for: the next one who asks would take it for his.
  static_cast<void>(SEPTRAN_GPU(GetLastError)());
  const std::string text = what + ": " + SEPTRAN_GPU(GetErrorString)(status) + " [" +
                           SEPTRAN_GPU(GetErrorName)(status) + "]";
  if (status == SEPTRAN_GPU(ErrorMemoryAllocation))
    throw memory_error(text);
  throw error(text);
}

inline int device_count() {
  int count = 0;
  check(SEPTRAN_GPU(GetDeviceCount)(&count), "counting devices");
  return count;
}
inline int current_device() {
  int device = 0;
  check(SEPTRAN_GPU(GetDevice)(&device), "asking for the device");
  return device;
}
inline void set_device(int device) {
  check(SEPTRAN_GPU(SetDevice)(device), "choosing device " + std::to_string(device));
}
/// Called by destructors.
inline void restore_device(int device) noexcept {
  static_cast<void>(SEPTRAN_GPU(SetDevice)(device));
}

/// Dynamic shared memory that every kernel may have; more has to be asked for.
/// CUDA C++ Programming Guide, "Shared Memory" of each compute capability.
inline constexpr std::size_t default_shared_bytes = 48 * 1024;

inline std::string kernel_name(const void *kernel) {
#if defined(__HIP__)
  const char *name = hipKernelNameRefByPtr(kernel, nullptr);
  return name != nullptr ? name : "a kernel";
#else
  const char *name = nullptr;
  return cudaFuncGetName(&name, kernel) == cudaSuccess && name != nullptr ? name : "a kernel";
#endif
}

template <class... P>
void launch(void (*kernel)(P...), dim3 grid, dim3 block, std::size_t shared_bytes, stream in,
            std::decay_t<P>... arguments) {
  const void *function = reinterpret_cast<const void *>(kernel);
  const auto text = [&] {
    return detail::launch_text(kernel_name(function), grid, block, shared_bytes);
  };
  if (shared_bytes > default_shared_bytes) {
    const SEPTRAN_GPU(Error_t) status = SEPTRAN_GPU(FuncSetAttribute)(
        function, SEPTRAN_GPU(FuncAttributeMaxDynamicSharedMemorySize), int(shared_bytes));
    if (status != SEPTRAN_GPU(Success))
      check(status, text() + ": asking for the shared memory");
  }
  void *pointers[sizeof...(P) + 1] = {static_cast<void *>(&arguments)..., nullptr};
  const SEPTRAN_GPU(Error_t) status =
      SEPTRAN_GPU(LaunchKernel)(function, grid, block, pointers, shared_bytes, in);
  if (status != SEPTRAN_GPU(Success))
    check(status, text());
}

inline void synchronize() { check(SEPTRAN_GPU(DeviceSynchronize)(), "waiting for the device"); }
inline void synchronize(stream of) {
  check(SEPTRAN_GPU(StreamSynchronize)(of), "waiting for a stream");
}

inline int multiprocessors() {
  int count = 0;
  check(SEPTRAN_GPU(DeviceGetAttribute)(&count, multiprocessor_count, current_device()),
        "asking for the number of multiprocessors");
  return count;
}

/// Whether memory is allocated and released in the order of streams; else each release waits for
/// the whole device. CUDA C++ Programming Guide, "Stream Ordered Memory Allocator".
inline bool has_pools() noexcept {
  int device = 0, supported = 0;
  return SEPTRAN_GPU(GetDevice)(&device) == SEPTRAN_GPU(Success) &&
         SEPTRAN_GPU(DeviceGetAttribute)(&supported, memory_pools_supported, device) ==
             SEPTRAN_GPU(Success) &&
         supported != 0;
}

inline void *allocate(std::size_t bytes, stream in) {
  void *memory = nullptr;
  const SEPTRAN_GPU(Error_t) status = has_pools() ? SEPTRAN_GPU(MallocAsync)(&memory, bytes, in)
                                                  : SEPTRAN_GPU(Malloc)(&memory, bytes);
  if (status != SEPTRAN_GPU(Success))
    check(status, "allocating " + std::to_string(bytes) + " bytes of device memory");
  return memory;
}
/// Called by destructors: a failure of an earlier kernel is reported by the next other call.
inline void release(void *memory, stream in) noexcept {
  static_cast<void>(has_pools() ? SEPTRAN_GPU(FreeAsync)(memory, in) : SEPTRAN_GPU(Free)(memory));
}

/// A copy from pageable memory has taken its elements when it returns; one from page-locked memory
/// takes them when its turn comes. CUDA Runtime API, "API synchronization behavior".
inline bool is_page_locked(const void *host) {
  pointer_attributes found{};
  if (SEPTRAN_GPU(PointerGetAttributes)(&found, host) != SEPTRAN_GPU(Success)) {
    static_cast<void>(SEPTRAN_GPU(GetLastError)());
    return false;
  }
  return found.type != SEPTRAN_GPU(MemoryTypeUnregistered);
}

/// Waits for a copy where the host could otherwise meet it.
inline void finish(const void *from, SEPTRAN_GPU(MemcpyKind) kind, stream in) {
  if (kind == SEPTRAN_GPU(MemcpyDeviceToHost) ||
      (kind == SEPTRAN_GPU(MemcpyHostToDevice) && is_page_locked(from)))
    synchronize(in);
}

inline void copy(void *to, const void *from, std::size_t bytes, SEPTRAN_GPU(MemcpyKind) kind,
                 stream in) {
  if (bytes == 0)
    return;
  const SEPTRAN_GPU(Error_t) status = SEPTRAN_GPU(MemcpyAsync)(to, from, bytes, kind, in);
  if (status != SEPTRAN_GPU(Success))
    check(status, "copying " + std::to_string(bytes) + " bytes");
  finish(from, kind, in);
}
inline void copy_to_device(void *device, const void *host, std::size_t bytes, stream in) {
  copy(device, host, bytes, SEPTRAN_GPU(MemcpyHostToDevice), in);
}
inline void copy_to_host(void *host, const void *device, std::size_t bytes, stream in) {
  copy(host, device, bytes, SEPTRAN_GPU(MemcpyDeviceToHost), in);
}
inline void copy_on_device(void *to, const void *from, std::size_t bytes, stream in) {
  copy(to, from, bytes, SEPTRAN_GPU(MemcpyDeviceToDevice), in);
}

inline void copy_rows(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch,
                      std::size_t rows, std::size_t bytes, SEPTRAN_GPU(MemcpyKind) kind,
                      stream in) {
  if (rows == 0 || bytes == 0)
    return;
  const SEPTRAN_GPU(Error_t) status =
      SEPTRAN_GPU(Memcpy2DAsync)(to, to_pitch, from, from_pitch, bytes, rows, kind, in);
  if (status != SEPTRAN_GPU(Success))
    check(status,
          "copying " + std::to_string(rows) + " rows of " + std::to_string(bytes) + " bytes");
  finish(from, kind, in);
}
inline void copy_rows_to_device(void *device, std::size_t device_pitch, const void *host,
                                std::size_t host_pitch, std::size_t rows, std::size_t bytes,
                                stream in) {
  copy_rows(device, device_pitch, host, host_pitch, rows, bytes, SEPTRAN_GPU(MemcpyHostToDevice),
            in);
}
inline void copy_rows_to_host(void *host, std::size_t host_pitch, const void *device,
                              std::size_t device_pitch, std::size_t rows, std::size_t bytes,
                              stream in) {
  copy_rows(host, host_pitch, device, device_pitch, rows, bytes, SEPTRAN_GPU(MemcpyDeviceToHost),
            in);
}

inline void fill(void *device, unsigned char byte, std::size_t bytes, stream in) {
  check(SEPTRAN_GPU(MemsetAsync)(device, byte, bytes, in), "filling device memory");
}

class event {
public:
  event() { check(SEPTRAN_GPU(EventCreate)(&event_), "creating an event"); }
  event(const event &) = delete;
  event &operator=(const event &) = delete;
  ~event() { static_cast<void>(SEPTRAN_GPU(EventDestroy)(event_)); }

  void record(stream in) { check(SEPTRAN_GPU(EventRecord)(event_, in), "recording an event"); }
  void wait() { check(SEPTRAN_GPU(EventSynchronize)(event_), "waiting for an event"); }

  static float milliseconds(const event &begin, const event &end) {
    float time = 0;
    check(SEPTRAN_GPU(EventElapsedTime)(&time, begin.event_, end.event_), "measuring time");
    return time;
  }

private:
  SEPTRAN_GPU(Event_t) event_ = nullptr;
};

} // namespace septran::cuda::runtime

#endif
#undef SEPTRAN_GPU

#endif // SEPTRAN_CUDA_DETAIL_RUNTIME_H
