// Calls three libraries of one task, in the emulator: with tensors of the device, of the host, and of
// both. Writes what was unexpected, and ends with the number of such things.
#include "device.h"
#include "host.h"
#include "mixed.h"

#include <septran/cuda/launch.h>
#include <septran/emulator/control.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

int Problems = 0;

void that(bool Good, int Line, const char *Said = "") {
  if (Good)
    return;
  ++Problems;
  std::printf("line %d: wrong%s%s\n", Line, *Said ? "; it said: " : "", Said);
}
#define THAT(Condition) that((Condition), __LINE__)
#define GIVES(Call, Status, Library, Part)                                                         \
  do {                                                                                             \
    const int Got = (Call);                                                                        \
    const char *Said = Library##_last_error();                                                     \
    that(Got == (Status) && std::strstr(Said, Part), __LINE__, Said);                              \
  } while (false)

constexpr std::int64_t Rows = 7, Columns = 5;
enum { Host = 1, Cuda = 2, CudaHost = 3, Managed = 13 };

/// Row-major floats with a shape, as a C interface takes them.
struct Array {
  septran_dlpack_tensor T{};
  std::int64_t Shape[2];

  Array(void *Data, std::vector<std::int64_t> Extents, int Device) {
    std::copy(Extents.begin(), Extents.end(), Shape);
    T = {Data, {Device, 0}, std::int32_t(Extents.size()), {2, 32, 1}, Shape, nullptr, 0};
  }
};

std::vector<float> In(Rows * Columns), Base(Columns), Out(Rows * Columns);

void reset() {
  for (std::size_t I = 0; I < In.size(); ++I)
    In[I] = float(I);
  for (std::size_t J = 0; J < Base.size(); ++J)
    Base[J] = 100 * float(J);
  std::fill(Out.begin(), Out.end(), -1.0f);
}

bool isRight(const std::vector<float> &Values, float Share) {
  bool Right = true;
  for (std::size_t I = 0; I < Values.size(); ++I)
    Right &= std::fabs(Values[I] - (Share * float(I) + (1 - Share) * 100 * float(I % Columns))) < 1e-3f;
  return Right;
}

int Handle; // a stream is whatever has an address, in the emulator
void *const Stream = &Handle;

void onTheDevice() {
  reset();
  using namespace septran::cuda;
  device_buffer<float> In_(In.data(), In.size()), Base_(Base.data(), Base.size()), Out_(Out.size());
  Array I(In_.data(), {Rows, Columns}, Cuda), B(Base_.data(), {Columns}, Cuda),
      O(Out_.data(), {Rows, Columns}, Cuda);
  septran::emulator::take_statistics();
  GIVES(device(&O.T, &I.T, &B.T, 0.25f, Stream), SEPTRAN_SUCCESS, device, "");
  septran::emulator::statistics Now = septran::emulator::take_statistics();
  THAT(Now.launches == 0 && Now.waits == 0); // all of it is on the stream, and nobody waited
  synchronize(stream_at(Stream));
  THAT(septran::emulator::take_statistics().launches == 1);
  Out_.download(Out.data());
  THAT(isRight(Out, 0.25f));
  THAT(current_stream().handle == nullptr);

  GIVES(device(&O.T, &I.T, &B.T, 1.0f, nullptr), SEPTRAN_SUCCESS, device, "");
  Out_.download(Out.data());
  THAT(isRight(Out, 1.0f));

  I.T.device.device_type = Managed;
  I.T.device.device_id = 5; // says nothing
  GIVES(device(&O.T, &I.T, &B.T, 0.5f, nullptr), SEPTRAN_SUCCESS, device, "");
  for (int Wrong : {int(Host), int(CudaHost), 10}) {
    I.T.device = {Wrong, 0};
    GIVES(device(&O.T, &I.T, &B.T, 0.5f, Stream), SEPTRAN_WRONG_DEVICE, device,
          "expected memory of a CUDA device, type 2");
  }
  I.T.device = {Cuda, 1};
  GIVES(device(&O.T, &I.T, &B.T, 0.5f, Stream), SEPTRAN_WRONG_DEVICE, device,
        "out is on device 0, and stream is on device 1; expected the same");
  O.T.device = B.T.device = {Cuda, 1};
  GIVES(device(&O.T, &I.T, &B.T, 0.5f, Stream), SEPTRAN_WRONG_DEVICE, device,
        "out is on device 1; expected less than 1");
  O.T.device = I.T.device = B.T.device = {Cuda, 0};
  B.Shape[0] = Columns - 1;
  GIVES(device(&O.T, &I.T, &B.T, 0.5f, Stream), SEPTRAN_WRONG_SHAPE, device, "base[0] is 4");
  THAT(septran::emulator::take_statistics().launches == 2); // those that succeeded on no stream
}

void onTheHost() {
  reset();
  for (int Device : {int(Host), int(CudaHost)})
    for (void *S : {Stream, static_cast<void *>(nullptr)}) {
      Array I(In.data(), {Rows, Columns}, Device), B(Base.data(), {Columns}, Host),
          O(Out.data(), {Rows, Columns}, Device);
      std::fill(Out.begin(), Out.end(), -1.0f);
      GIVES(host(&O.T, &I.T, &B.T, 0.25f, S), SEPTRAN_SUCCESS, host, "");
      THAT(isRight(Out, 0.25f));
      O.T.device.device_type = Cuda;
      GIVES(host(&O.T, &I.T, &B.T, 0.25f, S), SEPTRAN_WRONG_DEVICE, host,
            "out is on a device of type 2; expected memory of the host, type 1");
    }
}

void onBoth() {
  reset();
  using namespace septran::cuda;
  device_buffer<float> In_(In.data(), In.size()), Out_(Out.size());
  Array I(In_.data(), {Rows, Columns}, Cuda), B(Base.data(), {Columns}, Host),
      O(Out_.data(), {Rows, Columns}, Cuda);
  septran::emulator::take_statistics();
  GIVES(mixed(&O.T, &I.T, &B.T, 0.75f, Stream), SEPTRAN_SUCCESS, mixed, "");
  THAT(septran::emulator::take_statistics().waits == 0);
  std::fill(Base.begin(), Base.end(), 0.0f); // may be used again
  synchronize(stream_at(Stream));
  Out_.download(Out.data());
  THAT(isRight(Out, 0.75f));
}

/// What a kernel does wrong is told by the call that waits for it, be it another's.
void failures() {
  reset();
  using namespace septran::cuda;
  device_buffer<float> In_(4), Out_(Out.size());
  In_.upload(In.data());
  Array I(In_.data(), {Rows, Columns}, Cuda), B(Base.data(), {Columns}, Host),
      O(Out_.data(), {Rows, Columns}, Cuda);
  GIVES(mixed(&O.T, &I.T, &B.T, 0.75f, nullptr), SEPTRAN_DEVICE_FAILURE, mixed, "out of bounds");
  GIVES(mixed(&O.T, &I.T, &B.T, 0.75f, Stream), SEPTRAN_SUCCESS, mixed, "");
  Array I2(In.data(), {Rows, Columns}, Host), O2(Out.data(), {Rows, Columns}, Host);
  GIVES(host(&O2.T, &I2.T, &B.T, 0.75f, Stream), SEPTRAN_DEVICE_FAILURE, host, "out of bounds");
  GIVES(host(&O2.T, &I2.T, &B.T, 0.75f, Stream), SEPTRAN_SUCCESS, host, "");
}

} // namespace

int main() {
  onTheDevice();
  onTheHost();
  onBoth();
  failures();
  std::puts(device_describe());
  return Problems;
}
