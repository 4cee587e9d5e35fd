//===- library/gpu.h - what a kernel library for GPUs needs -------*- C++ -*-===//
//
// A call works on the device that its tensors are on, and on the stream that it is given. Nothing
// here waits: an error that the device finds later is the answer to a later call.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_LIBRARY_GPU_H
#define SEPTRAN_LIBRARY_GPU_H

#include <septran/cuda/launch.h>
#include <septran/library/library.h>

namespace septran::library {

namespace detail {

/// The device of all tensors that are on one; -1 if none is. Managed memory is on any.
inline status find_device(const interface &i, const argument *arguments, int &device,
                          error_text &error) {
  constexpr std::int32_t managed = 13;
  device = -1;
  const char *first = nullptr;
  for (int p = 0; p < i.parameter_count; ++p) {
    const parameter &now = i.parameters[p];
    if (!now.is_tensor() || now.place == place::host)
      continue;
    const dlpack_device &on = arguments[p].tensor->device;
    if (on.device_type == managed)
      continue;
    if (device >= 0 && on.device_id != device)
      return error.set(status::wrong_device,
                       "%s: %s is on device %d, and %s is on device %d; expected the same", i.name,
                       first, device, now.name, int(on.device_id));
    const int count = cuda::device_count();
    if (on.device_id < 0 || on.device_id >= count)
      return error.set(status::wrong_device, "%s: %s is on device %d; expected less than %d",
                       i.name, now.name, int(on.device_id), count);
    device = on.device_id;
    first = now.name;
  }
  return status::success;
}

} // namespace detail

/// Checks the arguments, and runs `kernel` on their device and on `stream` if all is well.
template <std::size_t Count, class Kernel>
int call_on_device(const interface &i, const argument (&arguments)[Count], error_text &error,
                   void *stream, Kernel kernel) noexcept {
  return call(i, arguments, error, [&] {
    try {
      int device = -1;
      if (status s = detail::find_device(i, arguments, device, error); s != status::success)
        return s;
      const cuda::device_scope there(device < 0 ? cuda::current_device() : device);
      const cuda::stream_scope on(cuda::stream_at(stream));
      kernel();
      return status::success;
    } catch (const cuda::memory_error &problem) {
      return error.set(status::out_of_memory, "%s: %s", i.name, problem.what());
    } catch (const cuda::error &problem) {
      return error.set(status::device_failure, "%s: %s", i.name, problem.what());
    }
  });
}

} // namespace septran::library

#endif
