//===- npu/reference_npu_cxx.h - the C interface as C++ calls it --*- C++ -*-===//
//
// Elements with their type, and a launch of anything that can be called. Inline and nothing else:
// whoever implements reference_npu.h need not know of it.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_NPU_REFERENCE_NPU_CXX_H
#define SEPTRAN_NPU_REFERENCE_NPU_CXX_H

#include <septran/npu/reference_npu.h>

#include <memory>
#include <type_traits>

namespace septran::npu {

template <class T> T read(rnpu_address from) {
  T value;
  rnpu_read(&value, from, sizeof value);
  return value;
}

template <class T> void write(rnpu_address to, T value) { rnpu_write(to, &value, sizeof value); }

/// Runs kernel(core) on every core.
template <class Kernel> void on_cores(Kernel &&kernel) {
  rnpu_launch(
      [](void *argument, int core) {
        (*static_cast<std::remove_reference_t<Kernel> *>(argument))(core);
      },
      std::addressof(kernel));
}

} // namespace septran::npu

#endif
