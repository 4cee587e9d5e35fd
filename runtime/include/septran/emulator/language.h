//===- septran/emulator/language.h - Words of CUDA C++ -----------*- C++ -*-===//
//
// The function qualifiers, index variables and types of CUDA C++ that a `.cu` file may use without
// naming septran::cuda, so that g++ and clang++ read it. There is no __shared__: shared memory is
// what a launch asks for, and septran::cuda::shared_memory is the way to it.
//
// Source: CUDA C++ Programming Guide, "C++ Language Extensions".
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_EMULATOR_LANGUAGE_H
#define SEPTRAN_EMULATOR_LANGUAGE_H

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)

struct dim3 {
  unsigned x = 1, y = 1, z = 1;

  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

namespace septran::emulator {

/// The running thread's special registers; each is an error outside of a kernel.
dim3 thread_index();
dim3 block_index();
dim3 block_extent();
dim3 grid_extent();

void block_barrier();
void warp_barrier(int width);

namespace detail {

/// One component of an index variable: a value that is asked for when it is used.
template <dim3 (*Register)(), unsigned dim3::*Component> struct index_component {
  operator unsigned() const { return Register().*Component; }
};
template <dim3 (*Register)()> struct index_variable {
  index_component<Register, &dim3::x> x;
  index_component<Register, &dim3::y> y;
  index_component<Register, &dim3::z> z;
};

} // namespace detail

} // namespace septran::emulator

inline constexpr septran::emulator::detail::index_variable<septran::emulator::thread_index>
    threadIdx{};
inline constexpr septran::emulator::detail::index_variable<septran::emulator::block_index>
    blockIdx{};
inline constexpr septran::emulator::detail::index_variable<septran::emulator::block_extent>
    blockDim{};
inline constexpr septran::emulator::detail::index_variable<septran::emulator::grid_extent>
    gridDim{};

inline __attribute__((always_inline)) void __syncthreads() { septran::emulator::block_barrier(); }
inline __attribute__((always_inline)) void __syncwarp() { septran::emulator::warp_barrier(32); }

#endif // SEPTRAN_EMULATOR_LANGUAGE_H
