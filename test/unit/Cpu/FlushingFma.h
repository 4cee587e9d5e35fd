//===- FlushingFma.h - what products of bfloat16 are compared with -*- C++ -*-===//
//
// A fused multiply-add in the processor's own modes that flush subnormal numbers, and numbers that are
// hard on it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <random>

namespace flushing_fma {

#if defined(__x86_64__)
inline bool has_definition() { return __builtin_cpu_supports("fma"); }

/// a * b + c with subnormal operands and results flushed: MXCSR.DAZ, .FTZ, and all exceptions
/// masked.
inline float flushed_fma(float a, float b, float c) {
  const unsigned flushing = 0x1f80 | 0x8000 | 0x0040;
  unsigned saved;
  __asm__ volatile("stmxcsr %1\n\t"
                   "ldmxcsr %4\n\t"
                   "vfmadd231ss %3, %2, %0\n\t"
                   "ldmxcsr %1"
                   : "+x"(c), "=&m"(saved)
                   : "x"(a), "x"(b), "m"(flushing));
  return c;
}
#else
inline bool has_definition() { return false; }
inline float flushed_fma(float, float, float) { return 0; }
#endif

inline float widened(std::uint16_t bits) { return __builtin_bit_cast(float, std::uint32_t(bits) << 16); }

/// Bits of a float with this exponent, as far as there is one, and often few bits set.
inline std::uint32_t float_bits(std::mt19937 &random, int exponent) {
  const unsigned field = unsigned(exponent < -127 ? 0 : exponent > 128 ? 255 : exponent + 127);
  std::uint32_t bits = (random() & 0x807fffffu) | field << 23;
  switch (random() % 4) {
  case 0:
    return bits & ~0u << random() % 24;
  case 1:
    return (bits & 0xff800000u) | ((1u << random() % 24) - 1);
  }
  return bits;
}

} // namespace flushing_fma
