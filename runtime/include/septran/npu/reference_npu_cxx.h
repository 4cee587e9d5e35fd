//===- npu/reference_npu_cxx.h - the C interface as C++ calls it --*- C++ -*-===//
//
// Elements with their type, tensors that DMA may touch, and a launch of anything that can be
// called. Inline and nothing else: whoever implements reference_npu.h need not know of it.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_NPU_REFERENCE_NPU_CXX_H
#define SEPTRAN_NPU_REFERENCE_NPU_CXX_H

#include <septran/npu/reference_npu.h>
#include <septran/tensor.h>

#include <cstring>
#include <memory>
#include <type_traits>

namespace septran::npu {

template <class T> T read(rnpu_address from) {
  T value;
  rnpu_read(&value, from, sizeof value);
  return value;
}

template <class T> void write(rnpu_address to, T value) { rnpu_write(to, &value, sizeof value); }

/// A border of elements: rows above and below, elements before and after.
template <class T>
rnpu_border border(std::ptrdiff_t above, std::ptrdiff_t below, std::ptrdiff_t before,
                   std::ptrdiff_t after, T value) {
  static_assert(sizeof(T) <= 4, "borders are made of elements of at most 4 bytes");
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return {std::size_t(above),
          std::size_t(below),
          std::size_t(before) * sizeof(T),
          std::size_t(after) * sizeof(T),
          bits,
          std::uint32_t(sizeof(T))};
}

/// Lets DMA touch a tensor while this lives.
class attachment {
public:
  template <class T, int Rank>
  attachment(const tensor<T, Rank> &t, bool writable) : start(t.data()) {
    std::ptrdiff_t before = 0, after = 0;
    for (int d = 0; d < Rank; ++d) {
      if (t.extent(d) == 0)
        return;
      (t.stride(d) < 0 ? before : after) += (std::ptrdiff_t(t.extent(d)) - 1) * t.stride(d);
    }
    start = t.data() + before;
    rnpu_attach(start, std::size_t(after - before + 1) * sizeof(T), writable);
    attached = true;
  }
  ~attachment() {
    if (attached)
      rnpu_detach(start);
  }
  attachment(const attachment &) = delete;
  attachment &operator=(const attachment &) = delete;

private:
  const void *start;
  bool attached = false;
};

/// Runs kernel(core) on every core.
template <class Kernel> void on_cores(Kernel &&kernel) {
  rnpu_launch([](void *argument,
                 int core) { (*static_cast<std::remove_reference_t<Kernel> *>(argument))(core); },
              std::addressof(kernel));
}

} // namespace septran::npu

#endif
