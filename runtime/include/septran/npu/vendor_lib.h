//===- npu/vendor_lib.h - a vendor's interface on the same simulator -*- C++ -*-===//
//
// Another accelerator than the reference NPU, as its vendor would have it: one function copies, one
// waits for everything, one multiplies. It runs on one core of the simulated reference NPU, so all
// of that one's checks hold here. Nothing but a machine file knows these names.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_NPU_VENDOR_LIB_H
#define SEPTRAN_NPU_VENDOR_LIB_H

#include <septran/npu/simulator.h>

#include <utility>

using vendor_lib_tensor = septran::npu::attachment;

/// The address of an element of type T on the chip.
template <class T> struct vendor_lib_local {
  rnpu_address at;
  vendor_lib_local operator+(std::ptrdiff_t elements) const {
    return {at + rnpu_address(elements * std::ptrdiff_t(sizeof(T)))};
  }
  T get() const { return septran::npu::read<T>(at); }
  void set(T value) const { septran::npu::write<T>(at, value); }
};
template <class T> vendor_lib_local<T> vendor_lib_memory(std::ptrdiff_t bytes) {
  return {RNPU_SPM(bytes)};
}
template <class T> vendor_lib_local<T> vendor_lib_sums(std::ptrdiff_t bytes) {
  return {RNPU_ACC(bytes)};
}

/// Runs a program on the accelerator. Before it ends it must have waited for all that it started.
template <class Program> void vendor_lib_run(Program &&program) {
  septran::npu::on_cores([&](int core) {
    if (core == 0)
      program(core);
  });
}

/// Starts a copy of rows of `columns` elements. Copies to and from the chip run beside each other
/// and beside products.
template <class T>
void vendor_lib_dma_copy(vendor_lib_local<T> to, std::ptrdiff_t to_stride, const T *from,
                         std::ptrdiff_t from_stride, std::ptrdiff_t rows, std::ptrdiff_t columns) {
  constexpr auto size = std::ptrdiff_t(sizeof(T));
  rnpu_dma_load2d_async(to.at, std::size_t(to_stride * size), from, from_stride * size,
                        std::size_t(rows), std::size_t(columns * size));
}
template <class T>
void vendor_lib_dma_copy(T *to, std::ptrdiff_t to_stride, vendor_lib_local<T> from,
                         std::ptrdiff_t from_stride, std::ptrdiff_t rows, std::ptrdiff_t columns) {
  constexpr auto size = std::ptrdiff_t(sizeof(T));
  rnpu_dma_store2d_async(to, to_stride * size, from.at, std::size_t(from_stride * size),
                         std::size_t(rows), std::size_t(columns * size));
}

/// Waits for all that was started.
inline void vendor_lib_sync() {
  for (rnpu_engine engine : {RNPU_LOAD, RNPU_STORE, RNPU_MATRIX, RNPU_VECTOR}) {
    rnpu_record(engine, RNPU_SCALAR, 0);
    rnpu_wait(engine, RNPU_SCALAR, 0);
  }
}

/// Starts c += a * b. The sums must have been written before.
inline void vendor_lib_mma(vendor_lib_local<float> c, std::ptrdiff_t c_stride,
                           vendor_lib_local<float> a, std::ptrdiff_t a_stride,
                           vendor_lib_local<float> b, std::ptrdiff_t b_stride, std::ptrdiff_t m,
                           std::ptrdiff_t n, std::ptrdiff_t k) {
  rnpu_matrix_type(RNPU_F32);
  rnpu_mma(RNPU_F32, c.at, std::size_t(c_stride * 4), a.at, std::size_t(a_stride * 4), b.at,
           std::size_t(b_stride * 4), std::size_t(m), std::size_t(n), std::size_t(k), 1);
}

#endif
