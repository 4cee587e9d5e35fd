//===- septran/emulator/runtime.h - The host's side, emulated ----*- C++ -*-===//
//
// The host's primitives of <septran/cuda/launch.h> in the emulator. Device memory is host memory
// that the emulator knows: between guards, with the bytes marked that have been written.
//
// Work on the default stream is done at once. Work on any other stream is done as late as the
// hardware may: when the host waits for the stream. A stream is a handle that somebody chose; it
// needs not be made.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_EMULATOR_RUNTIME_H
#define SEPTRAN_EMULATOR_RUNTIME_H

#include <septran/emulator/language.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>

namespace septran::emulator {

/// What names a queue of work; null is the default stream.
struct stream {
  const void *handle = nullptr;
};

/// One launch, its kernel and arguments behind a function that calls it for one thread.
struct launch_request {
  const void *kernel;             // for its name
  void (*call)(const void *data); // runs one thread
  const void *data;               // what `call` is given; threads may read it
  std::size_t data_bytes;
  dim3 grid, block;
  std::size_t shared_bytes;
};

/// Runs a kernel to its end. Throws septran::cuda::error at the first thing that is wrong.
void launch(const launch_request &request);

void *allocate(std::size_t bytes);
void release(void *memory) noexcept;
void copy_to_device(void *device, const void *host, std::size_t bytes);
void copy_to_host(void *host, const void *device, std::size_t bytes);
void copy_on_device(void *to, const void *from, std::size_t bytes);
void fill(void *device, unsigned char byte, std::size_t bytes);

/// Does `work` behind all that was put into this queue before; at once if the queue is null.
void enqueue(const void *queue, std::function<void()> work);
/// Does what is in the queue. The first failure is thrown, and the rest forgotten.
void wait_for(const void *queue);
/// The same for all queues.
void wait_for_all();
/// A copy of memory of the host, which is taken now.
std::function<void()> staged_copy(void *device, const void *host, std::size_t bytes);

} // namespace septran::emulator

namespace septran::cuda::runtime {

using emulator::stream;

inline stream stream_at(void *handle) { return {handle}; }

inline int device_count() { return 1; }
inline int current_device() { return 0; }
inline void set_device(int) {}
inline void restore_device(int) noexcept {}

template <class... P>
void launch(void (*kernel)(P...), dim3 grid, dim3 block, std::size_t shared_bytes, stream in,
            std::decay_t<P>... arguments) {
  struct call_t {
    void (*kernel)(P...);
    std::tuple<std::decay_t<P>...> arguments;
  };
  emulator::enqueue(in.handle, [=, call = call_t{kernel, {arguments...}}] {
    emulator::launch({reinterpret_cast<const void *>(kernel),
                      [](const void *data) {
                        const call_t &c = *static_cast<const call_t *>(data);
                        std::apply(c.kernel, c.arguments);
                      },
                      &call, sizeof call, grid, block, shared_bytes});
  });
}

inline void synchronize() { emulator::wait_for_all(); }
inline void synchronize(stream of) { emulator::wait_for(of.handle); }

/// Few, so that kernels which size their grid by it run several tiles per block.
inline int multiprocessors() { return 4; }

inline void *allocate(std::size_t bytes, stream) { return emulator::allocate(bytes); }
inline void release(void *memory, stream in) noexcept {
  emulator::enqueue(in.handle, [=] { emulator::release(memory); });
}
inline void copy_to_device(void *device, const void *host, std::size_t bytes, stream in) {
  if (in.handle == nullptr)
    return emulator::copy_to_device(device, host, bytes);
  emulator::enqueue(in.handle, emulator::staged_copy(device, host, bytes));
}
inline void copy_to_host(void *host, const void *device, std::size_t bytes, stream in) {
  emulator::enqueue(in.handle, [=] { emulator::copy_to_host(host, device, bytes); });
  synchronize(in);
}
inline void copy_on_device(void *to, const void *from, std::size_t bytes, stream in) {
  emulator::enqueue(in.handle, [=] { emulator::copy_on_device(to, from, bytes); });
}
inline void copy_rows_to_device(void *device, std::size_t device_pitch, const void *host,
                                std::size_t host_pitch, std::size_t rows, std::size_t bytes,
                                stream in) {
  for (std::size_t row = 0; row < rows; ++row)
    copy_to_device(static_cast<unsigned char *>(device) + row * device_pitch,
                   static_cast<const unsigned char *>(host) + row * host_pitch, bytes, in);
}
inline void copy_rows_to_host(void *host, std::size_t host_pitch, const void *device,
                              std::size_t device_pitch, std::size_t rows, std::size_t bytes,
                              stream in) {
  for (std::size_t row = 0; row < rows; ++row)
    copy_to_host(static_cast<unsigned char *>(host) + row * host_pitch,
                 static_cast<const unsigned char *>(device) + row * device_pitch, bytes, in);
}
inline void fill(void *device, unsigned char byte, std::size_t bytes, stream in) {
  emulator::enqueue(in.handle, [=] { emulator::fill(device, byte, bytes); });
}

class event {
public:
  void record(stream) { time_ = std::chrono::steady_clock::now(); }
  void wait() {}

  static float milliseconds(const event &begin, const event &end) {
    return std::chrono::duration<float, std::milli>(end.time_ - begin.time_).count();
  }

private:
  std::chrono::steady_clock::time_point time_;
};

} // namespace septran::cuda::runtime

#endif // SEPTRAN_EMULATOR_RUNTIME_H
