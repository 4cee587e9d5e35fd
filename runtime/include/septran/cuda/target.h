//===- septran/cuda/target.h - Where device code runs ------------*- C++ -*-===//
//
// The one place that knows the ways to build a generated `.cu` file:
//
//   nvcc                     a program for the GPU; <cuda_runtime.h> and inline PTX
//   clang++ -x hip, hipcc    the same for AMD's GPUs; <hip/hip_runtime.h> and clang's builtins
//   g++ or clang++ (-x c++)  a program for the emulator: one fiber per thread, see docs/cuda.md
//
// Every other header of this folder states an idiom once, with its types and its preconditions, and
// calls a primitive of the same name in all worlds: septran/cuda/detail on NVIDIA's GPUs,
// septran/hip on AMD's, septran/emulator otherwise. So generated files hold neither inline assembly
// nor conditions.
//
// nvcc needs --expt-relaxed-constexpr: the headers that logic includes (tensors, small floats) and
// the standard library's constexpr functions then serve device code too.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CUDA_TARGET_H
#define SEPTRAN_CUDA_TARGET_H

#if defined(__HIP__)

#include <hip/hip_runtime.h>

#define SEPTRAN_DEVICE __device__ inline __attribute__((always_inline))
#define SEPTRAN_HOST_DEVICE __host__ __device__ inline __attribute__((always_inline))

#elif defined(__CUDACC__)

#ifndef __CUDACC_RELAXED_CONSTEXPR__
#error "device code of SepTran needs nvcc's option --expt-relaxed-constexpr"
#endif

#include <cuda_runtime.h>

#define SEPTRAN_DEVICE __device__ __forceinline__
#define SEPTRAN_HOST_DEVICE __host__ __device__ __forceinline__

#else

#include <septran/emulator/language.h>

#define SEPTRAN_DEVICE inline __attribute__((always_inline))
#define SEPTRAN_HOST_DEVICE inline __attribute__((always_inline))

#endif

namespace septran::cuda {

/// Threads of a warp (PTX ISA, "Cooperative Thread Arrays").
inline constexpr int warp_size = 32;

using ::dim3;

} // namespace septran::cuda

#endif // SEPTRAN_CUDA_TARGET_H
