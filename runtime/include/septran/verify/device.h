//===- verify/device.h - an entry point that launches kernels --------------===//
//
// What verify/call.h leaves to programs for GPUs, which run in the emulator: arguments that
// kernels use in place, and the schedule.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_VERIFY_DEVICE_H
#define SEPTRAN_VERIFY_DEVICE_H

#include <septran/emulator/control.h>
#include <septran/verify/call.h>

#include <cstddef>
#include <cstdlib>

namespace septran::verify {

/// Lets kernels use the memory from a tensor's first element to its last, while it lives.
class device_argument {
public:
  device_argument(const argument &a, int rank, std::size_t element_bytes) {
    std::int64_t lowest = 0, highest = 0;
    for (int d = 0; d < rank; ++d) {
      if (a.extents[d] <= 0)
        return;
      const std::int64_t reach = (a.extents[d] - 1) * a.strides[d];
      (reach < 0 ? lowest : highest) += reach;
    }
    const auto size = static_cast<std::int64_t>(element_bytes);
    begin_ = static_cast<unsigned char *>(a.data) + lowest * size;
    emulator::share_memory(begin_, std::size_t(highest - lowest + 1) * element_bytes);
  }
  device_argument(const device_argument &) = delete;
  device_argument &operator=(const device_argument &) = delete;
  ~device_argument() {
    if (begin_ != nullptr)
      emulator::unshare_memory(begin_);
  }

private:
  unsigned char *begin_ = nullptr;
};

/// One thread: eager; two: lazy; more: random, with that seed. SEPTRAN_EMULATOR goes first.
inline void choose_schedule(int threads) {
  if (std::getenv("SEPTRAN_EMULATOR") != nullptr)
    return;
  emulator::options chosen;
  chosen.schedule = threads == 1   ? emulator::schedule::eager
                    : threads == 2 ? emulator::schedule::lazy
                                   : emulator::schedule::random;
  chosen.seed = std::uint64_t(threads);
  emulator::set_options(chosen);
}

} // namespace septran::verify

#endif
