//===- septran/emulator/convert.h - cvt of PTX, emulated ---------*- C++ -*-===//
//
// Conversions as <septran/float_types.h> rounds them, and the rounding to tf32.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_EMULATOR_CONVERT_H
#define SEPTRAN_EMULATOR_CONVERT_H

#include <septran/float_types.h>

#include <cstdint>

namespace septran::cuda::ptx {

template <class T> float to_float(T value) { return static_cast<float>(value); }

template <class T> T from_float(float value) { return T(value); }

template <class T> std::uint32_t from_float2(float low, float high) {
  return std::uint32_t(T(low).bits()) | std::uint32_t(T(high).bits()) << 16;
}

/// Keeps 10 of 23 fraction bits; half a unit more in magnitude rounds ties away from zero.
inline float to_tf32(float value) {
  std::uint32_t bits = __builtin_bit_cast(std::uint32_t, value);
  if ((bits & 0x7f800000u) != 0x7f800000u)
    bits += 0x1000u;
  return __builtin_bit_cast(float, bits & 0xffffe000u);
}

} // namespace septran::cuda::ptx

#endif // SEPTRAN_EMULATOR_CONVERT_H
