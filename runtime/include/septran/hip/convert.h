//===- septran/hip/convert.h - Conversions of AMD's GPUs ---------*- C++ -*-===//
//
// The conversions of <septran/cuda/types.h>: half by the hardware, everything else by the integer
// code of <septran/float_types.h>, which rounds alike.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_HIP_CONVERT_H
#define SEPTRAN_HIP_CONVERT_H

#include <septran/cuda/detail/common.h>

#include <cstdint>

#ifdef __HIP__

namespace septran::cuda::ptx {

SEPTRAN_HOST_DEVICE float to_float(float16 value) {
#ifdef __HIP_DEVICE_COMPILE__
  return static_cast<float>(__builtin_bit_cast(_Float16, value.bits()));
#else
  return static_cast<float>(value);
#endif
}

template <> SEPTRAN_HOST_DEVICE float16 from_float<float16>(float value) {
#ifdef __HIP_DEVICE_COMPILE__
  return float16::from_bits(__builtin_bit_cast(std::uint16_t, static_cast<_Float16>(value)));
#else
  return float16(value);
#endif
}

/// No hardware computes with tf32 here.
SEPTRAN_HOST_DEVICE float to_tf32(float value) { return value; }

} // namespace septran::cuda::ptx

#endif // __HIP__

#endif // SEPTRAN_HIP_CONVERT_H
