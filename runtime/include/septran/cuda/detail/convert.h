//===- septran/cuda/detail/convert.h - cvt of PTX ----------------*- C++ -*-===//
//
// Conversions for nvcc. The host pass, and devices before sm_80 for bfloat16, use the integer code
// of <septran/float_types.h>, which rounds alike.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CUDA_DETAIL_CONVERT_H
#define SEPTRAN_CUDA_DETAIL_CONVERT_H

#include <septran/cuda/detail/common.h>

#include <cstdint>

#ifdef __CUDACC__

namespace septran::cuda::ptx {

SEPTRAN_HOST_DEVICE float to_float(float16 value) {
#ifdef __CUDA_ARCH__
  float wide;
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(value.bits()));
  return wide;
#else
  return static_cast<float>(value);
#endif
}

template <> SEPTRAN_HOST_DEVICE float16 from_float<float16>(float value) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return float16::from_bits(bits);
#else
  return float16(value);
#endif
}

template <> SEPTRAN_HOST_DEVICE bfloat16 from_float<bfloat16>(float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bfloat16::from_bits(bits);
#else
  return bfloat16(value);
#endif
}

template <> SEPTRAN_HOST_DEVICE std::uint32_t from_float2<float16>(float low, float high) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  std::uint32_t both;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
  return both;
#else
  return std::uint32_t(from_float<float16>(low).bits()) |
         std::uint32_t(from_float<float16>(high).bits()) << 16;
#endif
}

template <> SEPTRAN_HOST_DEVICE std::uint32_t from_float2<bfloat16>(float low, float high) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  std::uint32_t both;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
  return both;
#else
  return std::uint32_t(bfloat16(low).bits()) | std::uint32_t(bfloat16(high).bits()) << 16;
#endif
}

SEPTRAN_HOST_DEVICE float to_tf32(float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  std::uint32_t rounded;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(value));
  return __builtin_bit_cast(float, rounded);
#else
  return value; // no hardware computes with tf32 here
#endif
}

} // namespace septran::cuda::ptx

#endif // __CUDACC__

#endif // SEPTRAN_CUDA_DETAIL_CONVERT_H
