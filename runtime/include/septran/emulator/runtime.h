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

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

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

/// Something to do when its turn comes. Not std::function: what this header includes, every kernel's
/// source is compiled with.
class work {
public:
  virtual ~work() = default;
  virtual void run() = 0;
};

template <class F> class work_of final : public work {
public:
  explicit work_of(F f) : f_(std::move(f)) {}
  void run() override { f_(); }

private:
  F f_;
};

/// Puts work, which is given away, behind all that was put into this queue before.
void put_off(const void *queue, work *given);
/// Does what is in the queue. The first failure is thrown, and the rest forgotten.
void wait_for(const void *queue);
/// The same for all queues.
void wait_for_all();

/// Does f() behind all that was put into this queue before; at once if the queue is null.
template <class F> void enqueue(const void *queue, F f) {
  if (queue == nullptr)
    f();
  else
    put_off(queue, new work_of<F>(std::move(f)));
}

/// Of a clock that never goes back.
std::int64_t nanoseconds();

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
  const auto call = [kernel, arguments...] { kernel(arguments...); };
  emulator::enqueue(in.handle, [=] {
    emulator::launch({reinterpret_cast<const void *>(kernel),
                      [](const void *data) { (*static_cast<decltype(call) *>(data))(); }, &call,
                      sizeof call, grid, block, shared_bytes});
  });
}

inline void synchronize() { emulator::wait_for_all(); }
inline void synchronize(stream of) { emulator::wait_for(of.handle); }

/// Few, so that kernels which size their grid by it run several tiles per block.
inline int multiprocessors() { return 4; }

inline void *allocate(std::size_t bytes, stream) { return emulator::allocate(bytes); }
void release(void *memory, stream in) noexcept;
void copy_to_device(void *device, const void *host, std::size_t bytes, stream in);
void copy_to_host(void *host, const void *device, std::size_t bytes, stream in);
void copy_on_device(void *to, const void *from, std::size_t bytes, stream in);
void copy_rows_to_device(void *device, std::size_t device_pitch, const void *host,
                         std::size_t host_pitch, std::size_t rows, std::size_t bytes, stream in);
void copy_rows_to_host(void *host, std::size_t host_pitch, const void *device,
                       std::size_t device_pitch, std::size_t rows, std::size_t bytes, stream in);
void fill(void *device, unsigned char byte, std::size_t bytes, stream in);

class event {
public:
  void record(stream) { time_ = emulator::nanoseconds(); }
  void wait() {}

  static float milliseconds(const event &begin, const event &end) {
    return float(end.time_ - begin.time_) * 1e-6f;
  }

private:
  std::int64_t time_ = 0;
};

} // namespace septran::cuda::runtime

#endif // SEPTRAN_EMULATOR_RUNTIME_H
