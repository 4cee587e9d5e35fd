//===- septran/hip/convert.h - Conversions of AMD's GPUs ---------*- C++ -*-===//
//
// The conversions of <septran/cuda/types.h>: half by the hardware, everything else by the integer
// code of <septran/float_types.h>, which rounds alike.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_HIP_CONVERT_H
#define SEPTRAN_HIP_CONVERT_H

#include <septran/cuda/target.h>
#include <septran/float_types.h>

#include <cstdint>

#ifdef __HIP__

namespace septran::cuda::ptx {

template <class T> SEPTRAN_HOST_DEVICE float to_float(T value) { return static_cast<float>(value); }

SEPTRAN_HOST_DEVICE float to_float(float16 value) {
#ifdef __HIP_DEVICE_COMPILE__
  return static_cast<float>(__builtin_bit_cast(_Float16, value.bits()));
#else
  return static_cast<float>(value);
#endif
}

template <class T> SEPTRAN_HOST_DEVICE T from_float(float value) { return T(value); }

template <> SEPTRAN_HOST_DEVICE float16 from_float<float16>(float value) {
#ifdef __HIP_DEVICE_COMPILE__
  return float16::from_bits(__builtin_bit_cast(std::uint16_t, static_cast<_Float16>(value)));
#else
  return float16(value);
#endif
}

template <class T> SEPTRAN_HOST_DEVICE std::uint32_t from_float2(float low, float high) {
  return std::uint32_t(from_float<T>(low).bits()) | std::uint32_t(from_float<T>(high).bits()) << 16;
}

SEPTRAN_HOST_DEVICE float to_tf32(float value) {
  return value;
} // no hardware computes with tf32 here

} // namespace septran::cuda::ptx

#endif // __HIP__

#endif // SEPTRAN_HIP_CONVERT_H
