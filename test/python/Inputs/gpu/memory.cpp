// Device memory of the emulator that is linked into a kernel, for tests in Python.
#include <septran/cuda/launch.h>
#include <septran/emulator/control.h>

namespace runtime = septran::cuda::runtime;

extern "C" {

void *device_allocate(std::size_t bytes) { return runtime::allocate(bytes, {}); }
void device_release(void *memory) { runtime::release(memory, {}); }
void device_upload(void *to, const void *from, std::size_t bytes) {
  runtime::copy_to_device(to, from, bytes, {});
}
void device_download(void *to, const void *from, std::size_t bytes) {
  runtime::copy_to_host(to, from, bytes, {});
}
void device_wait(void *stream) { runtime::synchronize(runtime::stream_at(stream)); }
int device_launches() { return int(septran::emulator::take_statistics().launches); }
}
