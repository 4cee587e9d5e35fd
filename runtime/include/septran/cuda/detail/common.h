//===- septran/cuda/detail/common.h - What CUDA and HIP share ----*- C++ -*-===//
//
// Primitives of <septran/cuda/simt.h> and <septran/cuda/types.h> for which both have the same names, and
// conversions by the integer code of <septran/float_types.h>, where neither has an instruction.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CUDA_DETAIL_COMMON_H
#define SEPTRAN_CUDA_DETAIL_COMMON_H

#include <septran/cuda/target.h>
#include <septran/float_types.h>

#include <cstdint>

#if defined(__CUDACC__) || defined(__HIP__)

namespace septran::cuda::ptx {

template <int D> SEPTRAN_DEVICE int thread_index() {
  return int(D == 0 ? threadIdx.x : D == 1 ? threadIdx.y : threadIdx.z);
}
template <int D> SEPTRAN_DEVICE int block_index() {
  return int(D == 0 ? blockIdx.x : D == 1 ? blockIdx.y : blockIdx.z);
}
template <int D> SEPTRAN_DEVICE int block_extent() {
  return int(D == 0 ? blockDim.x : D == 1 ? blockDim.y : blockDim.z);
}
template <int D> SEPTRAN_DEVICE int grid_extent() {
  return int(D == 0 ? gridDim.x : D == 1 ? gridDim.y : gridDim.z);
}

SEPTRAN_DEVICE void block_barrier() { __syncthreads(); }

template <class T> SEPTRAN_HOST_DEVICE float to_float(T value) { return static_cast<float>(value); }
template <class T> SEPTRAN_HOST_DEVICE T from_float(float value) { return T(value); }
template <class T> SEPTRAN_HOST_DEVICE std::uint32_t from_float2(float low, float high) {
  return std::uint32_t(from_float<T>(low).bits()) | std::uint32_t(from_float<T>(high).bits()) << 16;
}

} // namespace septran::cuda::ptx

#endif

#endif // SEPTRAN_CUDA_DETAIL_COMMON_H
